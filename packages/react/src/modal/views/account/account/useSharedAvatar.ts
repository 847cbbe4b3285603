import { useLayoutEffect, useRef, type RefObject } from 'react'

/** Duration of the transition, like that of the views around it [R2.2.9]. */
const moveMilliseconds = 150

/**
 * Moves an avatar from its place in the view that leaves to its place in the view that enters. Nothing moves with reduced
 * motion, or if the leaving view shows another account.
 *
 * @param address the account of the avatar, which its element has as `data-of`
 * @returns the ref of the avatar's element
 */
export function useSharedAvatar(address: string): RefObject<HTMLElement | null> {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const root = element.current?.getRootNode()
    if (!(root instanceof ShadowRoot) || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    const left = root.querySelector<HTMLElement>('.pane[data-leaving] .avatar')
    const entered = element.current
    if (left === null || entered === null || left.dataset['of'] !== address) return
    const [from, to] = [left.getBoundingClientRect(), entered.getBoundingClientRect()]
    if (from.width === 0 || to.width === 0) return
    left.style.visibility = 'hidden'
    const motion = entered.animate(
      [
        {
          transformOrigin: '0 0',
          translate: `${from.left - to.left}px ${from.top - to.top}px`,
          scale: from.width / to.width,
        },
        { transformOrigin: '0 0' },
      ],
      { duration: moveMilliseconds, easing: 'cubic-bezier(.25,.8,.3,1)' },
    )
    return () => motion.cancel()
  }, [address])
  return element
}
