import { pushView, type AccountState } from '@latchkey/core'
import { receiveUri } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { Spoken, usePart } from '../../../strings/part.tsx'
import { receivePart } from '../../../strings/receive/texts.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { compatibleNetworks } from '../../money/compatibleNetworks.ts'
import { useCopy } from '../../money/useCopy.ts'
import { QrCode } from '../../pairing/QrCode.tsx'
import { Icon, Mark, Row } from '../../parts.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { receiveCss } from './receive.css.ts'

/** The address to be paid at: to scan, to copy, to share. */
export default function WalletReceiveView(): ReactElement {
  const account = useAccount()
  return (
    <Spoken part={receivePart}>{account.status === 'connected' ? <Receive account={account} /> : <Nobody />}</Spoken>
  )
}

function Nobody(): ReactElement {
  return <p className="hint center">{usePart(receivePart).none}</p>
}

function Receive({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const t = usePart(receivePart)
  useViewStyles(receiveCss)
  const { address, network } = account
  return (
    <>
      <QrCode text={receiveUri(network, address)} label={t.qr(network.name)} dimmed={false}>
        <Mark name={network.name} icon={network.assets?.imageUrl} />
      </QrCode>
      <WholeAddress address={address} />
      <Networks account={account} />
      <Ways address={address} />
    </>
  )
}

/** All of it: who pays compares it letter by letter. */
function WholeAddress({ address }: { address: string }): ReactElement {
  const { account: t } = useStrings()
  return (
    <p className="whole-address">
      <bdi dir="ltr" aria-hidden="true">
        {address}
      </bdi>
      <span className="hidden">{`${t.fullAddress}: ${[...address].join(' ')}`}</span>
    </p>
  )
}

/** The networks that the address is good for, or the only one. */
function Networks({ account: { network } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = usePart(receivePart)
  const { length } = compatibleNetworks(latchkey, network)
  if (length < 2) return <p className="hint center">{t.only(network.name)}</p>
  return (
    <ul className="rows">
      <Row
        mark={<Mark name={network.name} icon={network.assets?.imageUrl} />}
        name={network.name}
        sub={t.works(length)}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'WalletCompatibleNetworks', params: {} })}
      />
    </ul>
  )
}

function Ways({ address }: { address: string }): ReactElement {
  const t = usePart(receivePart)
  const { account } = useStrings()
  const copy = useCopy()
  // A visitor who closes the sheet of his system did not fail.
  const share = (): void => void navigator.share({ text: address }).catch(() => undefined)
  return (
    <div className="buttons">
      {'share' in navigator && (
        <button type="button" className="button" onClick={share}>
          {t.share}
        </button>
      )}
      <button
        type="button"
        className="button"
        data-primary=""
        part="primary"
        onClick={() => copy(address, { done: account.copied, failed: account.copyFailed })}
      >
        <Icon name="copy" />
        {account.copyAddress}
      </button>
    </div>
  )
}
