import type { Network } from '@latchkey/protocol'
import { Fact, Facts } from '../components/Facts.tsx'
import { ReadableText } from '../components/ReadableText.tsx'

/** Shows the network to switch to or to add. */
export function NetworkDetails({ network, isNew }: { network: Network; isNew: boolean }) {
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
          The app chose this endpoint. Its operator decides which balances you see. The wallet verifies the endpoint’s
          chain id before it adds the network.
        </p>
      )}
    </>
  )
}
