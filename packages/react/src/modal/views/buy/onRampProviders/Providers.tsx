import { getBestProvider, getBuyRate } from '@latchkey/core/internal'
import { chooseProvider, type BuyProvider, type BuyQuote, type BuyState } from '@latchkey/core/money'
import { buyMessages } from '@latchkey/modal/messages'
import { useId, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { truncateAmount, moneyText } from '../../../money/amounts.ts'
import { Mark } from '../../../parts/index.tsx'

/** The providers, with what each gives for the amount: the coins, the price of one coin, and the fees. */
export function Providers({ state }: { state: BuyState }): ReactElement {
  const t = useFlowMessages(buyMessages)
  const name = useId()
  const best = getBestProvider(state)
  return (
    <fieldset className="buy-providers">
      <legend>{t.soldBy}</legend>
      {state.providers.map((provider) => (
        <ProviderRow key={provider.id} {...{ state, provider, name, isBest: provider.id === best }} />
      ))}
    </fieldset>
  )
}

type ProviderRowProps = { state: BuyState; provider: BuyProvider; name: string; isBest: boolean }

function ProviderRow({ state, provider, name, isBest }: ProviderRowProps): ReactElement {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const offer = state.offers[provider.id]
  return (
    <label className="row buy-provider" part="row">
      <Mark name={provider.name} />
      <span className="text">
        <span className="name">
          {provider.name}
          {isBest && <span className="buy-best">{t.bestPrice}</span>}
        </span>
        {offer?.status === 'ready' ? <Offer quote={offer.quote} /> : <FeeRange provider={provider} />}
      </span>
      {offer?.status === 'ready' && (
        <span className="amount figures">
          <bdi dir="ltr">{`${decimalText(locale, truncateAmount(offer.quote.purchase.amount))} ${offer.quote.purchase.currency}`}</bdi>
        </span>
      )}
      {offer?.status === 'waiting' && <span className="amount skeleton buy-offer-skeleton" />}
      <input
        type="radio"
        name={name}
        checked={provider.id === state.provider}
        onChange={() => void chooseProvider(latchkey, provider.id)}
      />
    </label>
  )
}

function Offer({ quote }: { quote: BuyQuote }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const fee = totalFee(quote)
  return (
    <>
      <span className="sub figures">
        <bdi dir="ltr">{rateText(locale, quote)}</bdi>
      </span>
      {fee !== undefined && <span className="sub figures">{t.fee({ percent: moneyText(locale, fee) })}</span>}
    </>
  )
}

/** The fees of a provider before it quoted an amount, in percent. */
function FeeRange({ provider: { fee } }: { provider: BuyProvider }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(buyMessages)
  const percents = new Intl.NumberFormat(locale, { style: 'percent' })
  return <span className="sub">{t.fee({ percent: percents.formatRange(fee.min / 100, fee.max / 100) })}</span>
}

/** Formats the price of one coin, with all fees. */
export function rateText(locale: string | undefined, quote: BuyQuote): string {
  const { total, purchase } = quote
  const price = moneyText(locale, { amount: String(getBuyRate(quote)), currency: total.currency })
  return `1 ${purchase.currency} = ${price}`
}

/** The fees of the provider and of the network. Undefined if a part is unknown or in another currency. */
function totalFee({ providerFee, networkFee }: BuyQuote): { amount: string; currency: string } | undefined {
  if (providerFee?.currency !== networkFee.currency) return undefined
  return { amount: String(Number(providerFee.amount) + Number(networkFee.amount)), currency: networkFee.currency }
}
