import { goBack, type AccountState } from '@latchkey/core'
import { dollarsOf, sendState, type SendState, type SendToken } from '@latchkey/core/money'
import type { Network } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { sendPart } from '../../../strings/send/texts.ts'
import { useStore } from '../../../useStore.ts'
import { atMost, dollarText, unitsIn } from '../../money/figures.ts'
import { moneyCss } from '../../money/money.css.ts'
import { Warnings } from '../../money/Warnings.tsx'
import { Mark } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { Avatar } from '../account/Avatar.tsx'
import { accountCss } from '../account/account.css.ts'
import { FeeLines, problemText } from '../walletSend/FeeFacts.tsx'
import { notesOf } from '../walletSend/notes.ts'
import { sendCss } from '../walletSend/send.css.ts'
import { WholeAddress } from '../walletSend/WholeAddress.tsx'
import { sendAndTell } from './sendAndTell.ts'

/** All of a payment once more, before the wallet is asked. */
export default function WalletSendPreviewView(): ReactElement {
  const account = useAccount()
  // What was last on show stays while the view leaves behind a payment that went out.
  const [last, setLast] = useState(account)
  if (account.status === 'connected' && account !== last) setLast(account)
  useViewStyles(accountCss + moneyCss + sendCss)
  return <Spoken part={sendPart}>{last.status === 'connected' && <Preview account={last} />}</Spoken>
}

function Preview({ account }: { account: AccountState & { status: 'connected' } }): ReactElement | null {
  const latchkey = useLatchkey()
  const t = usePart(sendPart)
  const now = useStore(sendState(latchkey))
  const [last, setLast] = useState(() => wholeOf(now))
  const whole = wholeOf(now)
  if (whole !== undefined && whole.state !== last?.state) setLast(whole)
  const { network, wallet } = account
  if (last === undefined) return <p className="hint center">{t.incomplete}</p>
  const { state } = last
  const problem = state.uncertain ? t.uncertainHint : problemText(t, state.problem)
  return (
    <>
      <What {...last} />
      <Whom state={state} address={last.address} />
      <Warnings warnings={notesOf(t, state)} />
      <Costs {...last} network={network} />
      {problem !== undefined && (
        <p className="warning" role="alert">
          {problem}
        </p>
      )}
      <p className="hint center">{t.careful}</p>
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
            if (!now.uncertain) void sendAndTell(latchkey, t, wallet.name)
          }}
        >
          {now.loading && <span className="spinner" />}
          {now.loading ? t.approve(wallet.name) : t.send}
        </button>
      </div>
    </>
  )
}

/** A payment that has all that is looked over. */
type Whole = { state: SendState; token: SendToken; units: bigint; address: string }

function wholeOf(state: SendState): Whole | undefined {
  const { token, amount, receiverAddress: address } = state
  const units = token === undefined ? undefined : unitsIn(amount, token.asset.decimals)
  if (token === undefined || units === undefined || address === undefined) return undefined
  return { state, token, units, address }
}

/** The exact amount, and what it is worth where somebody knows. */
function What({ state: { amount }, token, units }: Whole): ReactElement {
  const { locale } = useSurroundings()
  const dollars = dollarsOf(units, token.asset.decimals, token.price)
  return (
    <div className="send-review">
      <div className="send-person">
        <Mark name={token.asset.symbol} icon={token.iconUrl === '' ? undefined : token.iconUrl} />
        <div className="text">
          <p className="headline figures">
            <bdi dir="ltr">{`${amount} ${token.asset.symbol}`}</bdi>
          </p>
          {dollars !== undefined && <p className="sub figures">{dollarText(locale, dollars)}</p>}
        </div>
      </div>
    </div>
  )
}

function Whom({ state, address }: { state: SendState; address: string }): ReactElement {
  const t = usePart(sendPart)
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

/** Where it happens, what the network takes, and the most that it can come to. */
function Costs({ state, token, units, network }: Whole & { network: Network }): ReactElement {
  const t = usePart(sendPart)
  const { amount, fee } = state
  const { symbol, decimals } = network.nativeCurrency
  const isNative = token.asset.address === undefined
  const own = isNative ? units : 0n
  const most = fee === undefined ? undefined : atMost(own + fee.value + (fee.deposit ?? 0n), decimals, 8)
  const others = isNative ? '' : `${amount} ${token.asset.symbol} + `
  return (
    <dl className="facts">
      <div>
        <dt>{t.network}</dt>
        <dd>{network.name}</dd>
      </div>
      <FeeLines state={state} network={network} />
      {most !== undefined && (
        <div>
          <dt>{t.most}</dt>
          <dd className="figures">
            <bdi dir="ltr">{`${others}${most} ${symbol}`}</bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}
