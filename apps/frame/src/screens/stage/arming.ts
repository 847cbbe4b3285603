/** Time in milliseconds for which a screen has to be fully visible and unchanged before its buttons work. */
export const armingTime = 500
/** Minimum size in CSS pixels at which a request is readable. */
export const minimumSize = { width: 320, height: 480 } as const

/**
 * Decides when the buttons of a screen work: after half a second in which the screen was fully visible, large enough,
 * focused and unchanged. Anything else restarts the time.
 */
export type Arming = {
  readonly isArmed: boolean
  /** Reports whether the browser proves that nothing covers the screen. */
  seen(isSeen: boolean): void
  sized(size: { width: number; height: number }): void
  /** Reports a change of content or position. */
  changed(): void
  /** Reports that the user left. Nothing works until the user returns. */
  left(): void
  came(): void
  /** Disarms permanently. */
  end(): void
}

export type ArmingDependencies = {
  /** Calls `act` later. Returns a function that cancels the call. */
  later(act: () => void, milliseconds: number): () => void
  notify(isArmed: boolean): void
}

/** Creates the arming of one screen. It starts disarmed. */
export function createArming({ later, notify }: ArmingDependencies): Arming {
  const state = { isSeen: false, isLarge: false, isHere: true, isArmed: false, isOver: false }
  let cancel = (): void => {}

  function set(isArmed: boolean): void {
    if (state.isArmed === isArmed) return
    state.isArmed = isArmed
    notify(isArmed)
  }

  function restart(): void {
    cancel()
    cancel = () => {}
    set(false)
    if (state.isOver || !state.isSeen || !state.isLarge || !state.isHere) return
    cancel = later(() => set(true), armingTime)
  }

  return {
    get isArmed() {
      return state.isArmed
    },
    seen(isSeen) {
      if (state.isSeen === isSeen) return
      state.isSeen = isSeen
      restart()
    },
    sized({ width, height }) {
      state.isLarge = width >= minimumSize.width && height >= minimumSize.height
      restart()
    },
    changed: restart,
    left() {
      state.isHere = false
      restart()
    },
    came() {
      if (state.isHere) return
      state.isHere = true
      restart()
    },
    end() {
      state.isOver = true
      restart()
    },
  }
}
