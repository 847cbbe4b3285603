import type { Namespace } from '@latchkey/protocol'
import type { Memory, RememberedConnection } from './memory.ts'

/** Stores the connections of a namespace, the primary one first. An empty array removes them. */
export function setConnections(
  memory: Pick<Memory, 'connections' | 'write'>,
  namespace: Namespace,
  [primary, ...others]: readonly RememberedConnection[],
): void {
  const { [namespace]: _, ...rest } = memory.connections()
  const own = others.length === 0 ? primary : { ...primary, others }
  const all = primary === undefined ? rest : { ...rest, [namespace]: own }
  memory.write('connections', Object.keys(all).length === 0 ? undefined : all)
}
