import type { AccountState } from '@latchkey/core'
import { pushView } from '@latchkey/modal'
import { receiveMessages } from '@latchkey/modal/messages'
import { formatReceiveUri } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { FlowNotConnected } from '../../account/account/NotConnected.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { compatibleNetworks } from '../../../money/compatibleNetworks.ts'
import { useCopy } from '../../../money/useCopy.ts'
import { QrCode } from '../../../pairing/QrCode.tsx'
import { Icon, NetworkMark, Row } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { moneyCss } from '../../../money/money.css.ts'
import { receiveCss } from './receive.css.ts'
import { RequestForm, type RequestFormProps } from './RequestForm.tsx'

/** The address of the account, to scan, copy or share. */
export default function WalletReceiveView(): ReactElement {
  const account = useAccount()
  return (
    <FlowMessages chunk={receiveMessages}>
      {account.status === 'connected' ? (
        // A payment request belongs to one account on one network.
        <Receive key={`${account.network.caipNetworkId}:${account.address}`} account={account} />
      ) : (
        <FlowNotConnected chunk={receiveMessages} account={account} />
      )}
    </FlowMessages>
  )
}

function Receive({ account }: { account: AccountState & { status: 'connected' } }): ReactElement {
  const t = useFlowMessages(receiveMessages)
  useViewStyles(receiveCss + moneyCss)
  const { address, network } = account
  const [link, setLink] = useState<string>()
  const label = link === undefined ? t.qr({ network: network.name }) : t.requestQr
  return (
    <>
      <QrCode text={link ?? formatReceiveUri(network, address)} label={label} dimmed={false}>
        <NetworkMark network={network} />
      </QrCode>
      <WholeAddress address={address} />
      <Request account={account} onChange={setLink} />
      {link === undefined && <Networks account={account} />}
      <div className="footer">
        <CopyActions address={address} link={link} />
      </div>
    </>
  )
}

/** A button that shows the form for an amount, in namespaces with payment links. */
function Request({ account, onChange }: RequestFormProps): ReactElement | null {
  const t = useFlowMessages(receiveMessages)
  const [isOpen, setOpen] = useState(false)
  const { address, network } = account
  // Namespaces without payment links use the plain address.
  if (formatReceiveUri(network, address) === address) return null
  const toggle = (): void => {
    setOpen(!isOpen)
    onChange(undefined)
  }
  return (
    <>
      <button type="button" className="button" data-quiet="" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? t.requestClose : t.request}
      </button>
      {isOpen && <RequestForm key={network.caipNetworkId} account={account} onChange={onChange} />}
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
        mark={<NetworkMark network={network} />}
        name={network.name}
        sub={t.worksOn({ count: length })}
        end="forward"
        onChoose={() => pushView(latchkey, { view: 'WalletCompatibleNetworks', params: {} })}
      />
    </ul>
  )
}

/** Copies and shares the payment link, or the address without one. */
function CopyActions({ address, link }: { address: string; link: string | undefined }): ReactElement {
  const t = useFlowMessages(receiveMessages)
  const { account } = useModalMessages()
  const copy = useCopy()
  // Closing the system's share sheet is not a failure.
  const share = (): void => void navigator.share({ text: link ?? address }).catch(() => undefined)
  const texts =
    link === undefined
      ? { done: account.copied, failed: account.copyFailed }
      : { done: t.linkCopied, failed: t.linkCopyFailed }
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
        onClick={() => copy(link ?? address, texts)}
      >
        <Icon name="copy" />
        {link === undefined ? account.copyAddress : t.copyLink}
      </button>
    </div>
  )
}
