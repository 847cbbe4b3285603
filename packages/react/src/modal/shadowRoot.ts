import { createContext, use } from 'react'
import { useStyles } from '../styles/useStyles.ts'

export const ShadowRootContext: React.Context<ShadowRoot | undefined> = createContext<ShadowRoot | undefined>(undefined)

/** The shadow root that the modal is drawn in. */
export function useShadowRoot(): ShadowRoot {
  const root = use(ShadowRootContext)
  if (root === undefined) throw new Error('This part is drawn inside of the modal only.')
  return root
}

/** Adds a view's own CSS to the modal as long as the view is there. */
export function useViewStyles(css: string): void {
  const root = useShadowRoot()
  useStyles(css, () => root)
}

/** Puts focus where reading begins: on the title of the view on screen. */
export function focusTitle(root: ShadowRoot): void {
  root.querySelector<HTMLElement>('#title')?.focus({ preventScroll: true })
}
