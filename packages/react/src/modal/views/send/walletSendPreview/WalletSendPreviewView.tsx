import { formatAmount, type AccountState } from '@latchkey/core'
import { parseUnits, toDollars } from '@latchkey/core/internal'
import { sendState, type SendState, type SendToken } from '@latchkey/core/money'
import { goBack, leaveReview } from '@latchkey/modal'
import { sendMessages } from '@latchkey/modal/messages'
import type { Network } from '@latchkey/protocol'
import { useEffect, useState, type ReactElement } from 'react'
import { useLatchkey, useLatchkeyContext } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { decimalText } from '../../../../messages/quantityText.ts'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { useStore } from '../../../../useStore.ts'
import { atMost, dollarText } from '../../../money/dollarText.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { Warnings } from '../../../money/Warnings.tsx'
import { Icon, Mark } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { Avatar } from '../../account/account/Avatar.tsx'
import { accountCss } from '../../account/account/account.css.ts'
import { FeeLines, problemText } from '../walletSend/FeeFacts.tsx'
import { notesOf } from '../walletSend/notes.ts'
import { sendCss } from '../walletSend/send.css.ts'
import WalletSendView from '../walletSend/WalletSendView.tsx'
import { WholeAddress } from '../walletSend/WholeAddress.tsx'
import { sendWithToasts } from './sendWithToasts.ts'

/** The review of a payment, before the request to the wallet. */
export default function WalletSendPreviewView(): ReactElement {
  const account = useAccount()
  // Keeps the last payment on screen while the view slides out after sending.
  const [last, setLast] = useState(account)
  if (account.status === 'connected' && account !== last) setLast(account)
  useViewStyles(accountCss + moneyCss + sendCss)
  if (last.status !== 'connected') return <WalletSendView />
  return (
    <FlowMessages chunk={sendMessages}>
      <Preview account={last} />
    </FlowMessages>
  )
}

function Preview({ account }: { account: AccountState & { status: 'connected' } }): ReactElement | null {
  const latchkey = useLatchkey()
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const strings = useModalMessages()
  const now = useStore(sendState(latchkey))
  const [last, setLast] = useState(() => getCompletePayment(now))
  const whole = getCompletePayment(now)
  if (whole !== undefined && whole.state !== last?.state) setLast(whole)
  const isReset = last !== undefined && whole === undefined
  useEffect(() => {
    if (isReset) leaveReview(latchkey, 'WalletSendPreview')
  }, [latchkey, isReset])
  const { network, wallet } = account
  if (last === undefined) return <p className="hint center">{t.incomplete}</p>
  const { state } = last
  const problem = state.uncertain ? t.uncertainHint : problemText(t, strings, state.problem)
  return (
    <>
      <PaymentAmount {...last} />
      <Whom state={state} address={last.address} />
      <Costs {...last} network={network} />
      <p className="hint center">{t.reviewCarefully}</p>
      <div className="footer">
        <Warnings warnings={notesOf(t, state)} />
        {problem !== undefined && (
          <p className="warning" data-tone="warning" role="alert">
            <Icon name="warn" />
            <span>{problem}</span>
          </p>
        )}
        <div className="buttons">
          <button type="button" className="button" onClick={() => goBack(latchkey)}>
            {t.cancel}
          </button>
          <button
            type="button"
            className="button"
            data-primary=""
            part="primary"
            aria-disabled={now.loading || now.uncertain}
            onClick={() => {
              if (!now.uncertain) void sendWithToasts(latchkey, { t, strings, wallet: wallet.name, locale })
            }}
          >
            {now.loading && <span className="spinner" />}
            {now.loading ? t.approve({ wallet: wallet.name }) : t.send}
          </button>
        </div>
      </div>
    </>
  )
}

/** A complete payment. */
type CompletePayment = { state: SendState; token: SendToken; units: bigint; address: string }

function getCompletePayment(state: SendState): CompletePayment | undefined {
  const { token, amount, receiverAddress: address } = state
  const units = token === undefined ? undefined : parseUnits(amount, token.asset.decimals)
  if (token === undefined || units === undefined || address === undefined) return undefined
  return { state, token, units, address }
}

/** The exact amount, and its value if known. */
function PaymentAmount({ token, units }: CompletePayment): ReactElement {
  const { locale } = useLatchkeyContext()
  const dollars = toDollars(units, token.asset.decimals, token.price)
  return (
    <div className="send-review">
      <div className="send-person">
        <Mark name={token.asset.symbol} icon={token.iconUrl === '' ? undefined : token.iconUrl} />
        <div className="text">
          <p className="headline figures">
            <bdi dir="ltr">{formatSentAmount(locale, token, units)}</bdi>
          </p>
          {dollars !== undefined && <p className="sub figures">{dollarText(locale, dollars)}</p>}
        </div>
      </div>
    </div>
  )
}

/** Formats what is sent. An entry may have more digits than the token has decimals. */
function formatSentAmount(locale: string | undefined, { asset }: SendToken, units: bigint): string {
  return `${decimalText(locale, formatAmount(units, asset.decimals))} ${asset.symbol}`
}

function Whom({ state, address }: { state: SendState; address: string }): ReactElement {
  const t = useFlowMessages(sendMessages)
  const { receiverName, receiverImage } = state
  return (
    <div className="send-review">
      <p className="money-label">{t.to}</p>
      <div className="send-person">
        <Avatar address={address} identity={{ avatar: receiverImage }} size="small" />
        <div className="text">
          {receiverName !== undefined && <p className="name">{receiverName}</p>}
          <WholeAddress address={address} />
        </div>
      </div>
    </div>
  )
}

/** The network, its fee, and the maximum total. */
function Costs({ state, token, units, network }: CompletePayment & { network: Network }): ReactElement {
  const { locale } = useLatchkeyContext()
  const t = useFlowMessages(sendMessages)
  const { fee } = state
  const { symbol, decimals } = network.nativeCurrency
  const isNative = token.asset.address === undefined
  const own = isNative ? units : 0n
  const most = fee === undefined ? undefined : atMost(own + fee.value + (fee.deposit ?? 0n), decimals, 8)
  const others = isNative ? '' : `${formatSentAmount(locale, token, units)} + `
  return (
    <dl className="facts">
      <div>
        <dt>{t.network}</dt>
        <dd>{network.name}</dd>
      </div>
      <FeeLines state={state} network={network} />
      {most !== undefined && (
        <div>
          <dt>{t.totalMost}</dt>
          <dd className="figures">
            <bdi dir="ltr">{`${others}${decimalText(locale, most)} ${symbol}`}</bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}
