import { useLayoutEffect } from 'react'
import { focusTitle, useShadowRoot } from '../shell/shadowRoot.ts'

/** Focuses the first field of a view whose texts were loaded after the view, unless the user moved the focus. */
export function useFirstField(): void {
  const root = useShadowRoot()
  useLayoutEffect(() => {
    if (root.activeElement?.id === 'title') focusTitle(root)
  }, [root])
}
