import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { Origin } from '../../wallet/developerWallet.ts'
import { Icon } from '../components/Icon.tsx'
import { Tile } from '../components/Tile.tsx'

type AppLineProps = { app: AppIdentity; origin: Origin }

/** Shows the app's self-declared name and address, and the verdict on its origin. */
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
          This request comes from <bdi className="strong">{origin.origin}</bdi>
          {app.host === undefined ? ', but the app declares no web address' : `, not from ${app.host}`}. Another site
          may be impersonating this app. Reject the request unless you expect this.
        </p>
      )}
    </>
  )
}

/** Only the address can be proven. Any app can claim any name. */
function Badge({ origin }: { origin: Origin }) {
  switch (origin.status) {
    case 'proven':
      return (
        <span className="origin" data-status="proven" title="The app's browser confirms this address.">
          <Icon name="check" />
          Address matches
        </span>
      )
    case 'mismatch':
      return (
        <span className="origin" data-status="mismatch">
          <Icon name="warning" /> Address mismatch
        </span>
      )
    case 'looking':
    case 'unknown':
      return (
        <span className="origin" title="The app declared this name and address itself.">
          Not verified
        </span>
      )
  }
}
