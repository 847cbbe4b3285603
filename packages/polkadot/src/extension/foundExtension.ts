import type { Clock, Storage } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'

/** An extension that was found in the page. Its object is untrusted. */
export type FoundExtension = { id: string; name: string; raw: object }

/** The adapter's options for the connectors of extensions. */
export type DiscoveryOptions = {
  networks: readonly Network[]
  appName: string | undefined
  storage: Storage | undefined
  clock: Clock | undefined
}
