import { createContext, useContext } from 'react'
import { useStyles } from '../../styles/useStyles.ts'

export const ShadowRootContext: React.Context<ShadowRoot | undefined> = createContext<ShadowRoot | undefined>(undefined)

/** Returns the shadow root of the modal. */
export function useShadowRoot(): ShadowRoot {
  const root = useContext(ShadowRootContext)
  if (root === undefined) throw new Error('This part is drawn inside of the modal only.')
  return root
}

/** Adds the CSS of a view to the modal while the view is mounted. */
export function useViewStyles(css: string): void {
  const root = useShadowRoot()
  useStyles(css, () => root)
}

/** Focuses the first field of a view (`data-first`), or its title. */
export function focusTitle(root: ShadowRoot): void {
  const field = root.querySelector<HTMLElement>('.pane:not([data-leaving]) [data-first]')
  const first = field ?? root.querySelector<HTMLElement>('#title')
  first?.focus({ preventScroll: true })
}
