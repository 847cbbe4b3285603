import type { Latchkey } from '@latchkey/core'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { companion } from './companions.ts'
import { useLatchkey } from './context.ts'

/** Imports a part of the interface that is fetched when it is first needed. Its identity names the part. */
export type Load<module extends object> = () => Promise<module>

type Chunk = { status: 'loading' } | { status: 'failed' } | { status: 'ready'; module: object }
type Chunks = StoreApi<ReadonlyMap<Load<object>, Chunk>>

const chunksKey = Symbol('chunks')

function chunksOf(latchkey: Latchkey): Chunks {
  return companion(latchkey, chunksKey, () => createStore<ReadonlyMap<Load<object>, Chunk>>(() => new Map()))
}

/** Fetches a part, unless it is there or on its way. One that could not be fetched is tried again. */
export function preload(latchkey: Latchkey, load: Load<object>): void {
  const chunks = chunksOf(latchkey)
  const present = chunks.getState().get(load)
  if (present !== undefined && present.status !== 'failed') return
  const put = (chunk: Chunk): void => chunks.setState(new Map([...chunks.getState(), [load, chunk]]), true)
  put({ status: 'loading' })
  load().then(
    (module) => put({ status: 'ready', module }),
    () => put({ status: 'failed' }),
  )
}

/**
 * A part of the interface, fetched when `wanted`. Once it is there it is there at once, without a suspended render.
 *
 * @returns the module, `'failed'`, or undefined while it is on its way
 */
export function useChunk<module extends object>(
  load: Load<module> | undefined,
  wanted: boolean = true,
): module | 'failed' | undefined {
  const latchkey = useLatchkey()
  const { subscribe, getState } = chunksOf(latchkey)
  const chunk = useSyncExternalStore(
    subscribe,
    () => (load === undefined ? undefined : getState().get(load)),
    () => undefined,
  )
  useEffect(() => {
    if (wanted && load !== undefined) preload(latchkey, load)
  }, [latchkey, load, wanted])
  if (chunk?.status === 'failed') return 'failed'
  // The map holds under each function what that function resolved to.
  return chunk?.status === 'ready' ? (chunk.module as module) : undefined
}
