import { guardScreen, type GuardOptions } from './guardScreen.ts'

/**
 * Guards the steps of a screen that have buttons with `data-guarded`. Each redraw begins again, so the next step's
 * buttons wait as well.
 *
 * @returns a function that ends the guard
 */
export function guardSteps(options: GuardOptions): () => void {
  const { root } = options
  let end: (() => void) | undefined
  const guard = (): void => {
    end?.()
    const isGuarded = root.querySelector('button[data-guarded]') !== null
    end = isGuarded ? guardScreen(options) : undefined
    if (isGuarded) root.dataset['shielded'] = ''
    else delete root.dataset['shielded']
  }
  // Its callback runs before the next event of the user.
  const redraws = new MutationObserver(guard)
  redraws.observe(root, { childList: true })
  guard()
  return () => {
    redraws.disconnect()
    end?.()
  }
}
