import type { Latchkey } from '@latchkey/core'
import { createErrors } from '@latchkey/protocol'
import { connectorType, type LatchkeyConnector } from './latchkeyConnector.ts'

declare module '@latchkey/protocol' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended
  interface ErrorContexts {
    'wagmi/connector-missing': object
  }
}

const wagmiError = createErrors({
  'wagmi/connector-missing': () =>
    'The configuration of wagmi has no connector of Latchkey: create it with getDefaultConfig, or add latchkeyConnector(latchkey) to its connectors.',
})

/** The parts of wagmi's configuration that name its connectors. */
type ConfigWithConnectors = { readonly connectors: readonly { readonly type: string }[] }

/**
 * Returns the instance of Latchkey behind a configuration of wagmi, to pass to the actions of `@latchkey/core`.
 *
 * @param config the configuration of wagmi 2 or 3, with a connector of Latchkey
 * @returns the instance of its first connector of Latchkey
 * @throws LatchkeyError `wagmi/connector-missing` if the configuration has no connector of Latchkey
 * @example const latchkey = getLatchkey(config)
 */
export function getLatchkey({ connectors }: ConfigWithConnectors): Latchkey {
  const connector = connectors.find(isLatchkeyConnector)
  if (connector === undefined) throw wagmiError('wagmi/connector-missing', {})
  return connector.getLatchkey()
}

function isLatchkeyConnector(connector: { readonly type: string }): connector is LatchkeyConnector {
  return connector.type === connectorType && 'getLatchkey' in connector
}
