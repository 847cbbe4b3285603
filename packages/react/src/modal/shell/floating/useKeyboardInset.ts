import { useEffect, type RefObject } from 'react'

/** Fits a box into the part of the screen above the on-screen keyboard. */
export function useKeyboardInset(box: RefObject<HTMLElement | null>, active: boolean): void {
  useEffect(() => {
    const screen = window.visualViewport
    const element = box.current
    if (!active || screen === null || element === null) return
    const follow = (): void => fitToViewport(element, screen)
    screen.addEventListener('resize', follow)
    screen.addEventListener('scroll', follow)
    follow()
    return () => {
      screen.removeEventListener('resize', follow)
      screen.removeEventListener('scroll', follow)
    }
  }, [box, active])
}

/** A zoomed page has a smaller viewport too, but no keyboard covers it. */
function fitToViewport(element: HTMLElement, screen: VisualViewport): void {
  const isCovered = screen.scale === 1 && innerHeight - screen.height > 1
  element.style.insetBlockStart = isCovered ? `${screen.offsetTop}px` : ''
  // The styles of the box and of its content read it.
  element.style.setProperty('--_height', isCovered ? `${screen.height}px` : '')
}
