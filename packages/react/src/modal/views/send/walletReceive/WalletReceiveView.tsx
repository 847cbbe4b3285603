import type { AccountState } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { receiveMessages } from '@latchkey/modal/messages'
import { formatReceiveUri } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { compatibleNetworks } from '../../../money/compatibleNetworks.ts'
import { useCopy } from '../../../money/useCopy.ts'
import { QrCode } from '../../../pairing/QrCode.tsx'
import { Icon, Mark, Row } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { receiveCss } from './receive.css.ts'

/** The address of the account, to scan, copy or share. */
export default function WalletReceiveView(): ReactElement {
  const account = useAccount()
  return (
    <FlowMessages chunk={receiveMessages}>
      {account.status === 'connected' ? <Receive account={account} /> : <NoWalletReceiveAccount />}
    </FlowMessages>
  )
}

function NoWalletReceiveAccount(): ReactElement {
  return <p className="hint center">{useFlowMessages(receiveMessages).notConnected}</p>
}

function Receive({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const t = useFlowMessages(receiveMessages)
  useViewStyles(receiveCss)
  const { address, network } = account
  return (
    <>
      <QrCode text={formatReceiveUri(network, address)} label={t.qr({ network: network.name })} dimmed={false}>
        <Mark name={network.name} icon={network.assets?.imageUrl} />
      </QrCode>
      <WholeAddress address={address} />
      <Networks account={account} />
      <Ways address={address} />
    </>
  )
}

/** The full address, so that senders can compare every character. */
function WholeAddress({ address }: { address: string }): ReactElement {
  const { account: t } = useModalMessages()
  return (
    <p className="whole-address">
      <bdi dir="ltr" aria-hidden="true">
        {address}
      </bdi>
      <span className="hidden">{`${t.fullAddress}: ${[...address].join(' ')}`}</span>
    </p>
  )
}

/** The networks on which the address is valid. */
function Networks({ account: { network } }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(receiveMessages)
  const { length } = compatibleNetworks(latchkey, network)
  if (length < 2) return <p className="hint center">{t.networkWarning({ network: network.name })}</p>
  return (
    <ul className="rows">
      <Row
        mark={<Mark name={network.name} icon={network.assets?.imageUrl} />}
        name={network.name}
        sub={t.worksOn({ count: length })}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'WalletCompatibleNetworks', params: {} })}
      />
    </ul>
  )
}

function Ways({ address }: { address: string }): ReactElement {
  const t = useFlowMessages(receiveMessages)
  const { account } = useModalMessages()
  const copy = useCopy()
  // Closing the system's share sheet is not a failure.
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
