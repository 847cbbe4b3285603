import type { ViewName, Views } from '@latchkey/modal'
import { createContext, useCallback, useContext, type ComponentType } from 'react'
import { preload, type Load } from '../../chunks.ts'
import { useLatchkey } from '../../context.ts'

/** A view's module, fetched when the view is first shown. */
export type ViewModule<view extends ViewName> = { default: ComponentType<Views[view]> }

/** Fetches the views by name. Views that are part of the modal's own chunk have no loader. */
export type ViewLoaders = { readonly [view in ViewName]?: () => Promise<ViewModule<view>> }

/** Gives views the loaders of other views. They cannot import them, because the loaders import all views. */
export const ViewLoadersContext: React.Context<ViewLoaders> = createContext<ViewLoaders>({})

/** Returns the loaders of the views. */
export function useViewLoaders(): ViewLoaders {
  return useContext(ViewLoadersContext)
}

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
