import type { IncomingMessage } from 'node:http'
import { clientAddress } from '../kit/clientAddress.ts'
import { Problem } from '../kit/problem.ts'
import { chooseNetwork, choosePayment, choosePurchase, isCalled } from './choose.ts'
import { readCents } from './money.ts'
import type { OnRampOptions, PageQuestion, PaymentCurrency, PurchaseCurrency } from './provider.ts'

/** What a client writes who wants a purchase page. */
export type PageBody = {
  destinationWallets: ReadonlyArray<{ address: string; assets?: readonly string[] }>
  defaultNetwork?: string | null
  presetFiatAmount?: number | string | null
  purchaseCurrency?: string
  paymentCurrency?: string
}

/** Reads what a purchase page is to begin with; what nobody said is the provider's first. @throws Problem 400 */
export function readPage(
  body: PageBody,
  options: OnRampOptions,
  { raw, trustedProxies }: { raw: IncomingMessage; trustedProxies: number },
): PageQuestion {
  const [wallet] = body.destinationWallets
  if (wallet === undefined) throw new Problem(400, 'destinationWallets', 'Nobody is named who gets it.')
  const payment = readPayment(body.paymentCurrency, options)
  const purchase = readPurchase(body, wallet.assets ?? [], options)
  return {
    address: wallet.address,
    purchase,
    network: chooseNetwork(purchase, body.defaultNetwork ?? undefined, 'defaultNetwork'),
    currency: payment.id,
    cents: readPreset(body.presetFiatAmount, payment),
    // What limits count IPv6 by is a whole network; any address of it will do.
    clientAddress: clientAddress(raw, trustedProxies).replace(/\/64$/, ''),
  }
}

function readPayment(wanted: string | undefined, options: OnRampOptions): PaymentCurrency {
  if (wanted !== undefined) return choosePayment(options, wanted)
  const [first] = options.paymentCurrencies
  if (first === undefined) throw new Problem(503, 'provider', 'The provider takes no currency now.')
  return first
}

function readPurchase(
  { purchaseCurrency, defaultNetwork }: PageBody,
  assets: readonly string[],
  options: OnRampOptions,
): PurchaseCurrency {
  const [wanted = purchaseCurrency] = purchaseCurrency === undefined ? assets : [purchaseCurrency]
  if (wanted !== undefined) return choosePurchase(options, wanted)
  const fitting = options.purchaseCurrencies.find(({ networks }) =>
    networks.some((network) => isCalled(network, defaultNetwork ?? network.name)),
  )
  if (fitting === undefined) throw new Problem(400, 'defaultNetwork', 'The provider sells nothing on that network.')
  return fitting
}

/** An amount that may be paid in some way. @throws Problem 400 `presetFiatAmount` */
function readPreset(preset: PageBody['presetFiatAmount'], payment: PaymentCurrency): bigint | undefined {
  if (preset === undefined || preset === null || preset === '' || preset === 0) return undefined
  const cents = readCents(String(preset))
  const within = payment.payment_method_limits.some(
    ({ min, max }) => cents !== undefined && cents >= (readCents(min) ?? 0n) && cents <= (readCents(max) ?? 0n),
  )
  if (!within) throw new Problem(400, 'presetFiatAmount', `This amount of ${payment.id} cannot be paid in any way.`)
  return cents
}
