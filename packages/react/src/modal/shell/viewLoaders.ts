import type { ViewName, Views } from '@latchkey/modal'
import { createContext, useContext, type ComponentType } from 'react'

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
