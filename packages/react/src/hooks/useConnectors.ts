import type { Connector } from '@latchkey/core'
import { useLatchkey } from '../context.ts'
import { useStore } from '../useStore.ts'

/**
 * Returns the connectors that are available now: configured ones and those discovered in the page.
 *
 * @example useConnectors().map(({ id, name }) => <li key={id}>{name}</li>)
 */
export function useConnectors(): readonly Connector[] {
  return useStore(useLatchkey().connectors)
}
