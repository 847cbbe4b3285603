import { companion, type Latchkey } from '@latchkey/core'
import { useEffect, useSyncExternalStore } from 'react'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { useLatchkey } from './context.ts'

/** Imports a part of the interface that is fetched when it is first needed. Its identity names the part. */
export type Load<module extends object> = () => Promise<module>

/** What became of each part; undefined while it is on its way. */
type Outcomes = ReadonlyMap<Load<object>, object | 'failed'>
type Chunks = { outcomes: StoreApi<Outcomes>; loading: Set<Load<object>> }

const chunksKey = Symbol('chunks')

function chunksOf(latchkey: Latchkey): Chunks {
  return companion(latchkey, chunksKey, () => ({
    outcomes: createStore<Outcomes>(() => new Map()),
    loading: new Set<Load<object>>(),
  }))
}

/**
 * Fetches a part, unless it is there or on its way. One that could not be fetched is tried again.
 *
 * @param then is called with the part once it is there
 */
export function preload<module extends object>(
  latchkey: Latchkey,
  load: Load<module>,
  then: (module: module) => void = () => {},
): void {
  const { outcomes, loading } = chunksOf(latchkey)
  const present = outcomes.getState().get(load)
  if (loading.has(load) || (present !== undefined && present !== 'failed')) return
  const put = (outcome: object | 'failed'): void => {
    loading.delete(load)
    outcomes.setState(new Map([...outcomes.getState(), [load, outcome]]), true)
  }
  loading.add(load)
  load().then(
    (module) => {
      put(module)
      then(module)
    },
    () => put('failed'),
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
  return useChunkOf(useLatchkey(), load, wanted)
}

/** The same where no provider is around yet. */
export function useChunkOf<module extends object>(
  latchkey: Latchkey,
  load: Load<module> | undefined,
  wanted: boolean,
): module | 'failed' | undefined {
  const { subscribe, getState } = chunksOf(latchkey).outcomes
  const outcome = useSyncExternalStore(
    subscribe,
    () => (load === undefined ? undefined : getState().get(load)),
    () => undefined,
  )
  useEffect(() => {
    if (wanted && load !== undefined) preload(latchkey, load)
  }, [latchkey, load, wanted])
  // The map holds under each function what that function resolved to.
  return outcome as module | 'failed' | undefined
}
