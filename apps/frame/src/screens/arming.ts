/** How long a screen has to stand still and in full view before an answer counts, in milliseconds. */
export const armingTime = 500
/** Smaller than this, what is asked cannot be read, in CSS pixels. */
export const smallest = { width: 320, height: 480 } as const

/**
 * When the buttons of a screen count: after half a second in which it was wholly in view, large enough, attended to, and did
 * not change. Anything else begins the half second anew.
 */
export type Arming = {
  readonly isArmed: boolean
  /** Whether the browser proves that nothing covers it. */
  seen(isSeen: boolean): void
  sized(size: { width: number; height: number }): void
  /** What is shown, or where, is another than a moment ago. */
  changed(): void
  /** The visitor is elsewhere: nothing counts until something of theirs comes back. */
  left(): void
  came(): void
  /** Ends it; nothing is armed any more. */
  end(): void
}

export type ArmingParts = {
  /** Calls later, and returns what takes that back. */
  later(act: () => void, milliseconds: number): () => void
  told(isArmed: boolean): void
}

/** Makes the guard of one screen, which counts for nothing at first. */
export function createArming({ later, told }: ArmingParts): Arming {
  const state = { isSeen: false, isLarge: false, isHere: true, isArmed: false, isOver: false }
  let cancel = (): void => {}

  function set(isArmed: boolean): void {
    if (state.isArmed === isArmed) return
    state.isArmed = isArmed
    told(isArmed)
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
      state.isLarge = width >= smallest.width && height >= smallest.height
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
