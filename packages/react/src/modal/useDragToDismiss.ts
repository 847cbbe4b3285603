import { useRef, type PointerEvent, type RefObject } from 'react'

/** How far down a sheet has to be pulled to let go of it, in pixels. */
const dismissDistance = 96
/** How fast a flick has to be, in pixels per millisecond. */
const dismissSpeed = 0.5

type Drag = { start: number; last: number; speed: number; at: number }

/**
 * Lets a finger pull a sheet down by its header. It springs back unless it was pulled far or fast.
 *
 * @param isSheet whether the card is a sheet at this moment
 */
export function useDragToDismiss(
  card: RefObject<HTMLElement | null>,
  { isSheet, dismiss }: { isSheet: () => boolean; dismiss: () => void },
): {
  onPointerDown(event: PointerEvent<HTMLElement>): void
  onPointerMove(event: PointerEvent<HTMLElement>): void
  onPointerUp(): void
  onPointerCancel(): void
} {
  const drag = useRef<Drag | undefined>(undefined)
  const release = (): Drag | undefined => {
    const ended = drag.current
    drag.current = undefined
    if (ended !== undefined) pull(card.current, undefined)
    return ended
  }
  return {
    onPointerDown({ target, isPrimary, clientY, timeStamp }) {
      const isHeader = target instanceof Element && target.closest('.header, .grabber') !== null
      if (!isPrimary || !isHeader || !isSheet()) return
      drag.current = { start: clientY, last: clientY, speed: 0, at: timeStamp }
    },
    onPointerMove({ clientY, timeStamp, pointerId, currentTarget }) {
      const present = drag.current
      if (present === undefined) return
      const distance = Math.max(0, clientY - present.start)
      if (distance < 4) return
      currentTarget.setPointerCapture(pointerId)
      const speed = (clientY - present.last) / Math.max(1, timeStamp - present.at)
      drag.current = { ...present, last: clientY, speed, at: timeStamp }
      pull(card.current, distance)
    },
    onPointerUp() {
      const ended = release()
      if (ended === undefined) return
      if (ended.last - ended.start > dismissDistance || ended.speed > dismissSpeed) dismiss()
    },
    onPointerCancel: () => void release(),
  }
}

function pull(card: HTMLElement | null, distance: number | undefined): void {
  if (card === null) return
  card.toggleAttribute('data-dragging', distance !== undefined)
  card.style.translate = distance === undefined ? '' : `0 ${distance}px`
}
