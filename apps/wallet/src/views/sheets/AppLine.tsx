import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { Origin } from '../../wallet/developerWallet.ts'
import { Icon } from '../parts/Icon.tsx'
import { Tile } from '../parts/Tile.tsx'

type AppLineProps = { app: AppIdentity; origin: Origin }

/** Who asks, as it says itself, and what is known of where it is. */
export function AppLine({ app, origin }: AppLineProps) {
  return (
    <>
      <div className="app-line">
        <Tile name={app.name} seed={app.host} icon={app.icon} />
        <div className="row-text">
          <bdi className="strong">{app.name}</bdi>
          <small>{app.host ?? 'No web address given'}</small>
        </div>
        <Badge origin={origin} />
      </div>
      {origin.status === 'mismatch' && (
        <p className="caution" role="alert">
          This comes from <bdi className="strong">{origin.origin}</bdi>
          {app.host === undefined ? ', though the app gives no web address' : `, not from ${app.host}`}. Someone may be
          posing as this app: reject it unless you know why.
        </p>
      )}
    </>
  )
}

/** The address alone is ever proven: a name can be anybody's. */
function Badge({ origin }: { origin: Origin }) {
  switch (origin.status) {
    case 'proven':
      return (
        <span className="origin" data-status="proven" title="The app's browser says that its page is at this address.">
          <Icon name="check" />
          Address matches
        </span>
      )
    case 'mismatch':
      return (
        <span className="origin" data-status="mismatch">
          <Icon name="warning" />
          Other address
        </span>
      )
    case 'looking':
    case 'unknown':
      return (
        <span className="origin" title="Apps say their name and address themselves; nobody has checked these.">
          Not verified
        </span>
      )
  }
}
