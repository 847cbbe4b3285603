import { useRef, type MouseEvent } from 'react'

/**
 * Ignores the second click of a double click if it hits another control than the first. The first click may have removed a
 * row of a list or opened another view, and moved a control that the user did not mean under the pointer.
 */
export function useDoubleClickGuard(): (event: MouseEvent) => void {
  const first = useRef<Element>(null)
  return (event) => {
    const control = (event.target as Element).closest('a,button')
    if (event.detail < 2) first.current = control
    if (control === first.current) return
    event.stopPropagation()
    event.preventDefault()
  }
}
