import {
  disconnect,
  listWallets,
  pushView,
  setActiveNamespace,
  showToast,
  switchConnection,
  type DisconnectTarget,
  type WalletConnection,
} from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useAccount } from '../../../hooks/useAccount.ts'
import { useConnections } from '../../../hooks/useConnections.ts'
import { useConnectors } from '../../../hooks/useConnectors.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { chooseRow } from '../../chooseWallet.ts'
import { describeFailure } from '../../describeFailure.ts'
import { Icon, Mark, Row } from '../../parts.tsx'
import { Tabs } from '../../parts/Tabs.tsx'
import { useViewStyles } from '../../shadowRoot.ts'
import { ConnectedWallet } from './ConnectedWallet.tsx'
import { profileWalletsCss } from './profileWallets.css.ts'

/** All connected wallets, one chain family at a time, and those connected before. */
export default function ProfileWalletsView(): ReactElement {
  const { adapters } = useLatchkey()
  const { profileWallets: t } = useStrings()
  const active = useAccount().network?.chainNamespace
  const [chosen, setChosen] = useState(active ?? adapters[0]?.namespace)
  useViewStyles(profileWalletsCss)
  const tabs = adapters.map(({ namespace, name }) => ({ id: namespace, name }))
  const family = adapters.find(({ namespace }) => namespace === chosen)
  return (
    <>
      {tabs.length > 1 && chosen !== undefined && (
        <Tabs<Namespace> label={t.families} tabs={tabs} chosen={chosen} onChoose={setChosen} panel="wallets" />
      )}
      {family !== undefined && (
        <div className="wallets" id="wallets" role={tabs.length > 1 ? 'tabpanel' : undefined} aria-label={family.name}>
          <Family key={family.namespace} namespace={family.namespace} name={family.name} />
        </div>
      )}
    </>
  )
}

function Family({ namespace, name }: { namespace: Namespace; name: string }): ReactElement {
  const { profileWallets: t } = useStrings()
  const leave = useLeave()
  const [primary, ...others] = useConnections(namespace)
  return (
    <>
      {primary === undefined ? (
        <div className="notice" role="status">
          <p className="headline">{t.none}</p>
          <p className="hint">{t.noneHint(name)}</p>
        </div>
      ) : (
        <ul className="rows">
          <ConnectedWallet connection={primary} onLeave={() => leave(primary, t.disconnected(primary.wallet.name))} />
        </ul>
      )}
      {others.length > 0 && <Others connections={others} />}
      <Recent namespace={namespace} />
      <AddWallet namespace={namespace} />
      {others.length > 0 && (
        <button
          type="button"
          className="button"
          data-quiet=""
          part="disconnect"
          onClick={() => leave(namespace, undefined)}
        >
          {t.disconnectAll}
        </button>
      )}
    </>
  )
}

function Others({ connections }: { connections: readonly WalletConnection[] }): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useStrings()
  const leave = useLeave()
  const change = (connection: WalletConnection): void => {
    switchConnection(latchkey, connection)
    showToast(latchkey, t.switched)
  }
  return (
    <section className="group" aria-labelledby="others">
      <h2 id="others">{t.others}</h2>
      <ul className="rows">
        {connections.map((connection) => (
          <ConnectedWallet
            key={connection.connectorId}
            connection={connection}
            onSwitch={() => change(connection)}
            onLeave={() => leave(connection, t.disconnected(connection.wallet.name))}
          />
        ))}
      </ul>
    </section>
  )
}

/** Wallets that were used before and are not connected now. */
function Recent({ namespace }: { namespace: Namespace }): ReactElement | null {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useStrings()
  const connected = useConnections(namespace).map(({ connectorId }) => connectorId)
  // Which wallets are in the page decides which of those used before can be offered.
  useConnectors()
  const rows = listWallets(latchkey, { namespace }).recent.filter(
    ({ id, connectorIds }) => !connected.includes(id) && !connectorIds.some((each) => connected.includes(each)),
  )
  if (rows.length === 0) return null
  return (
    <section className="group" aria-labelledby="recent">
      <h2 id="recent">{t.recent}</h2>
      <ul className="rows">
        {rows.map((row) => (
          <Row
            key={row.id}
            mark={<Mark name={row.name} icon={row.icon} />}
            name={row.name}
            tag={t.connect}
            onChoose={() => chooseRow(latchkey, row)}
          />
        ))}
      </ul>
    </section>
  )
}

function AddWallet({ namespace }: { namespace: Namespace }): ReactElement {
  const latchkey = useLatchkey()
  const { profileWallets: t } = useStrings()
  const add = (): void => {
    setActiveNamespace(latchkey, namespace)
    pushView(latchkey, { view: 'Connect', params: { namespace } })
  }
  return (
    <button type="button" className="button" data-primary="" part="primary" onClick={add}>
      <Icon name="plus" />
      {t.add}
    </button>
  )
}

/** Disconnects and says so; here it is over also where a wallet could not be told. */
function useLeave(): (target: DisconnectTarget, done: string | undefined) => void {
  const latchkey = useLatchkey()
  const strings = useStrings()
  return (target, done) => {
    disconnect(latchkey, target).then(
      () => done !== undefined && showToast(latchkey, done),
      (error: unknown) => showToast(latchkey, describeFailure(strings, error), { variant: 'error' }),
    )
  }
}
