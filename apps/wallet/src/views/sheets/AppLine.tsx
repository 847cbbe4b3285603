import type { AppIdentity } from '../../wallet/appIdentity.ts'
import { Icon } from '../parts/Icon.tsx'
import { Tile } from '../parts/Tile.tsx'

/** Who asks, as it says itself. */
export function AppLine({ app }: { app: AppIdentity }) {
  return (
    <div className="app-line">
      <Tile name={app.name} seed={app.host} icon={app.icon} />
      <div className="row-text">
        <bdi className="strong">{app.name}</bdi>
        <small>{app.host ?? 'No web address given'}</small>
      </div>
      <span className="unverified" title="Apps say their name and address themselves; nobody has checked it.">
        <Icon name="warning" />
        Unverified
      </span>
    </div>
  )
}
