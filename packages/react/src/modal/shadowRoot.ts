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

/** Puts focus where a view begins: on the field that it is there to fill in (`data-first`), else on its title. */
export function focusTitle(root: ShadowRoot): void {
  const field = root.querySelector<HTMLElement>('.pane:not([data-leaving]) [data-first]')
  const first = field ?? root.querySelector<HTMLElement>('#title')
  first?.focus({ preventScroll: true })
}
