import { goBack, parseAmount, type AccountState } from '@latchkey/core'
import { dollarsOf, sendState, type SendState } from '@latchkey/core/money'
import type { Network } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey, useSurroundings } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { sendPart } from '../../../strings/send/texts.ts'
import { useStore } from '../../../useStore.ts'
import { atMost, dollarText } from '../../money/figures.ts'
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
  const [last, setLast] = useState(now)
  if (now.token !== undefined && now.receiverAddress !== undefined && now !== last) setLast(now)
  const { network, wallet } = account
  const problem = last.uncertain ? t.uncertainHint : problemText(t, last.problem)
  return (
    <>
      <What state={last} />
      <Whom state={last} />
      <Warnings warnings={notesOf(t, last)} />
      <Costs state={last} network={network} />
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

/** The exact amount, and what it is worth where somebody knows. */
function What({ state: { token, amount } }: { state: SendState }): ReactElement | null {
  const { locale } = useSurroundings()
  if (token === undefined) return null
  const dollars = dollarsOf(parseAmount(amount, token.asset.decimals), token.asset.decimals, token.price)
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

function Whom({ state }: { state: SendState }): ReactElement | null {
  const t = usePart(sendPart)
  const { receiverAddress, receiverName, receiverImage } = state
  if (receiverAddress === undefined) return null
  return (
    <div className="send-review">
      <p className="money-label">{t.to}</p>
      <div className="send-person">
        <Avatar address={receiverAddress} identity={{ avatar: receiverImage }} size="small" />
        <div className="text">
          {receiverName !== undefined && <p className="name">{receiverName}</p>}
          <WholeAddress address={receiverAddress} />
        </div>
      </div>
    </div>
  )
}

/** Where it happens, what the network takes, and the most that it can come to. */
function Costs({ state, network }: { state: SendState; network: Network }): ReactElement {
  const t = usePart(sendPart)
  const { token, amount, fee } = state
  const { symbol, decimals } = network.nativeCurrency
  const own = token?.asset.address === undefined ? parseAmount(amount, decimals) : 0n
  const most = fee === undefined ? undefined : atMost(own + fee.value + (fee.deposit ?? 0n), decimals, 8)
  const others = token?.asset.address === undefined ? '' : `${amount} ${token.asset.symbol} + `
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
