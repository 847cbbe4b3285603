import type { Network } from '@latchkey/protocol'
import { Fact, Facts } from '../parts/Facts.tsx'
import { ReadableText } from '../parts/ReadableText.tsx'

/** A network to switch to, or to add. */
export function NetworkQuestion({ network, isNew }: { network: Network; isNew: boolean }) {
  const [endpoint = ''] = network.rpcUrls.default.http
  return (
    <>
      <Facts>
        <Fact name="Network">
          <bdi>{network.name}</bdi>
        </Fact>
        <Fact name="Chain id">{network.caipNetworkId.split(':')[1]}</Fact>
        <Fact name="Currency">{network.nativeCurrency.symbol}</Fact>
        <Fact name="Endpoint">
          <ReadableText text={endpoint} />
        </Fact>
      </Facts>
      {isNew && (
        <p className="caution">
          The app chose this endpoint: whoever runs it decides which balances you see. The wallet asks it who it is
          before adding it.
        </p>
      )}
    </>
  )
}
