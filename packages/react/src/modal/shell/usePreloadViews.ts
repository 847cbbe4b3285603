import type { ViewName } from '@latchkey/modal'
import { useCallback } from 'react'
import { preload, type Load } from '../../useChunk.ts'
import { useLatchkey } from '../../context.ts'
import { useViewLoaders } from './viewLoaders.ts'

/** Returns a function that fetches views which are likely to be shown next. */
export function usePreloadViews(): (...views: readonly ViewName[]) => void {
  const latchkey = useLatchkey()
  const loaders = useViewLoaders()
  return useCallback(
    (...views) => {
      for (const view of views) {
        const load: Load<object> | undefined = loaders[view]
        if (load !== undefined) preload(latchkey, load)
      }
    },
    [latchkey, loaders],
  )
}
