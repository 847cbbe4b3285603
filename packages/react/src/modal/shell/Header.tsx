import { internalsOf } from '@latchkey/core/internal'
import { closeModal, goBack, pushView, type ModalState } from '@latchkey/modal'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../context.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { titleOf } from './titleOf.ts'
import type { Pane, Panes } from './usePanes.ts'
import { Icon, NetworkMark } from '../parts/index.tsx'

type HeaderProps = Pick<Panes, 'shown' | 'leaving'> & {
  modal: ModalState & { open: true }
  embedded: boolean
}

/** The title of the view, with the back and close buttons. */
export function Header({ shown, leaving, modal, embedded }: HeaderProps): ReactElement {
  const latchkey = useLatchkey()
  const { modal: t, connect } = useModalMessages()
  const isAccount = shown?.entry.view === 'Account'
  const showsNetwork = isAccount && internalsOf(latchkey).settings.enableNetworkSwitch
  return (
    <div className="header" part="header" data-network={showsNetwork ? '' : undefined}>
      {showsNetwork ? (
        <NetworkButton />
      ) : modal.history.length > 1 && shown?.entry.view !== 'ApproveTransaction' ? (
        <button type="button" className="icon-button" aria-label={t.back} onClick={() => goBack(latchkey)}>
          <Icon name="back" />
        </button>
      ) : shown?.entry.view === 'Connect' ? (
        <button
          type="button"
          className="icon-button"
          aria-label={connect.help}
          onClick={() => pushView(latchkey, { view: 'WhatIsAWallet', params: {} })}
        >
          <Icon name="help" />
        </button>
      ) : (
        <span />
      )}
      <div className={isAccount ? 'titles hidden' : 'titles'}>
        {[leaving, shown].map(
          (pane) => pane !== undefined && <Title key={pane.id} pane={pane} isLeaving={pane === leaving} />,
        )}
      </div>
      {!embedded && (
        <button type="button" className="icon-button" aria-label={t.close} onClick={() => closeModal(latchkey)}>
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}

/** The title of one view. A title that fades out is hidden from screen readers. */
function Title({ pane, isLeaving }: { pane: Pane; isLeaving: boolean }): ReactElement {
  const latchkey = useLatchkey()
  const title = titleOf(latchkey, useModalMessages(), pane.entry)
  return (
    <h1
      id={isLeaving ? undefined : 'title'}
      className="title"
      part="title"
      tabIndex={-1}
      aria-hidden={isLeaving}
      data-leaving={isLeaving ? '' : undefined}
    >
      {title}
    </h1>
  )
}

function NetworkButton(): ReactElement {
  const latchkey = useLatchkey()
  const { network } = useAccount()
  const { account: t } = useModalMessages()
  return (
    <button
      type="button"
      className="network-button"
      onClick={() => pushView(latchkey, { view: 'Networks', params: {} })}
    >
      {network !== undefined && <NetworkMark network={network} size="small" />}
      <span className="hidden">{t.network}</span>
      <span>{network?.name}</span>
      <Icon name="chevron" size={16} />
    </button>
  )
}
