import { useSyncExternalStore, type ReactElement } from 'react'
import { useLatchkeyContext } from '../context.ts'

const subscribeToNothing = () => () => {}

/**
 * Renders styles into the page of a server, which has no constructed stylesheets, so that nothing moves when the page's code
 * arrives. Removed after the first rendering in the page. Put it inside the element that it is for: next to it, it would count
 * as a sibling in the app's own styles, and its removal would move the element.
 */
export function ServerStyles({ css }: { css: string }): ReactElement | null {
  const { nonce } = useLatchkeyContext()
  const isFromServer = useSyncExternalStore(
    subscribeToNothing,
    () => false,
    () => true,
  )
  if (!isFromServer) return null
  // A browser hides the nonce of an element, so hydration finds another value. React 18 escapes text in a style element.
  // oxlint-disable-next-line react/no-danger -- the styles are constants
  return <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: css }} />
}
