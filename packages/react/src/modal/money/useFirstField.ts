import { useLayoutEffect } from 'react'
import { focusTitle, useShadowRoot } from '../shadowRoot.ts'

/** Puts focus on the first field of a view whose texts came later than the view, unless the visitor went elsewhere. */
export function useFirstField(): void {
  const root = useShadowRoot()
  useLayoutEffect(() => {
    if (root.activeElement?.id === 'title') focusTitle(root)
  }, [root])
}
