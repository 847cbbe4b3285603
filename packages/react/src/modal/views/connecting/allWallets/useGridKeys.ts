import type { FocusEvent, KeyboardEvent } from 'react'

/**
 * Makes a grid of buttons a single tab stop. The arrow keys, Home and End move inside it.
 *
 * @returns the props of the list. Its first button starts with `tabIndex` 0, all others with -1
 */
export function useGridKeys(): {
  onKeyDown(event: KeyboardEvent<HTMLElement>): void
  onFocus(event: FocusEvent<HTMLElement>): void
} {
  return {
    onKeyDown(event) {
      const buttons = buttonsOf(event.currentTarget)
      const index = buttons.findIndex((button) => button === event.target)
      const next = buttons[getTargetIndex(event.key, index, buttons)]
      if (index === -1 || next === undefined || next === event.target) return
      event.preventDefault()
      next.focus()
    },
    onFocus({ currentTarget, target: focused }) {
      for (const button of buttonsOf(currentTarget)) button.tabIndex = button === focused ? 0 : -1
    },
  }
}

function buttonsOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll('button')]
}

function getTargetIndex(key: string, index: number, buttons: readonly HTMLElement[]): number {
  const [first] = buttons
  const columns = buttons.filter((button) => button.offsetTop === first?.offsetTop).length
  const forward = first !== undefined && getComputedStyle(first).direction === 'rtl' ? -1 : 1
  switch (key) {
    case 'ArrowRight':
      return index + forward
    case 'ArrowLeft':
      return index - forward
    case 'ArrowDown':
      return index + columns
    case 'ArrowUp':
      return index - columns
    case 'Home':
      return 0
    case 'End':
      return buttons.length - 1
    default:
      return index
  }
}
