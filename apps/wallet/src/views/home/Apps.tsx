import type { ConnectedApp } from '../../wallet/developerWallet.ts'
import { Icon } from '../components/Icon.tsx'
import { Tile } from '../components/Tile.tsx'
import { useWallet, useWalletState } from '../useStore.ts'

/** Lists the apps that have a session with the wallet. */
export function Apps({ apps, onOpen }: { apps: readonly ConnectedApp[]; onOpen(topic: string): void }) {
  return (
    <section className="group">
      <h2 id="apps">Connected apps</h2>
      {apps.length === 0 ? (
        <NoApps />
      ) : (
        <ul className="card" aria-labelledby="apps">
          {apps.map((connected) => (
            <li key={connected.session.topic}>
              <AppRow connected={connected} onOpen={() => onOpen(connected.session.topic)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function AppRow({ connected: { app, connections }, onOpen }: { connected: ConnectedApp; onOpen(): void }) {
  const { networks } = useWalletState()
  const chains = Object.values(connections).map(({ chainId }) => chainId)
  const names = networks.filter(({ caipNetworkId }) => chains.includes(caipNetworkId)).map(({ name }) => name)
  return (
    <button type="button" className="row" aria-haspopup="dialog" onClick={onOpen}>
      <Tile name={app.name} seed={app.host} icon={app.icon} />
      <span className="row-text">
        <bdi className="strong">{app.name}</bdi>
        <small>{[app.host, ...names].filter((part) => part !== undefined).join(' · ')}</small>
      </span>
      <Icon name="chevron" />
    </button>
  )
}

function NoApps() {
  const { web } = useWallet().config
  return (
    <div className="card empty">
      <p>In an app, choose WalletConnect and copy its link. Paste it below, and the app appears here.</p>
      {web !== undefined && (
        <a href={web} target="_blank" rel="noreferrer">
          Open the demo app
        </a>
      )}
    </div>
  )
}
