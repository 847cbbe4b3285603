import { Gauge, type Registry } from 'prom-client'
import type { Indexing } from './indexing.ts'

/** Reports the progress of the index of each chain. The chains are those of the configuration. */
export function observeIndex(registry: Registry, { progress, leases }: Pick<Indexing, 'progress' | 'leases'>): void {
  function add(name: string, help: string, list: () => readonly { chain: string; value: number }[]): void {
    registry.registerMetric(
      new Gauge({
        name: `latchkey_index_${name}`,
        help,
        labelNames: ['chain'],
        registers: [],
        collect() {
          for (const { chain, value } of list()) this.set({ chain }, value)
        },
      }),
    )
  }
  add('head_block', 'The last indexed block.', () => progress().map(({ chain, head }) => ({ chain, value: head })))
  add('lag_blocks', 'Blocks between the index and the head of the chain.', () =>
    progress().map(({ chain, head, target }) => ({ chain, value: Math.max(0, target - head) })),
  )
  add('failing', '1 while the chain cannot be indexed.', () =>
    progress().map(({ chain, failing }) => ({ chain, value: Number(failing) })),
  )
  add('lease', '1 in the process that indexes the chain.', () =>
    leases().map(({ chain, isHeld }) => ({ chain, value: Number(isHeld) })),
  )
}
