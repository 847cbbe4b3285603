import { useRef, type PointerEvent, type RefObject } from 'react'

/** The distance that dismisses a sheet, in pixels. */
const dismissDistance = 96
/** The speed that dismisses a sheet, in pixels per millisecond. */
const dismissSpeed = 0.5

type Drag = { start: number; last: number; speed: number; at: number }

/**
 * Lets users drag a sheet down by its header. It springs back unless it is dragged far or fast.
 *
 * @param isSheet returns true if the modal is currently a sheet
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
      if (!isPrimary) return
      // The end of an earlier drag is missed if the modal closes meanwhile.
      release()
      const isHeader = target instanceof Element && target.closest('.header, .grabber') !== null
      if (!isHeader || !isSheet()) return
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
