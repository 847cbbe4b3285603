/** Copies a secret, and sees to it that it does not stay where every program can read it. */
export type SecretClipboard = {
  /**
   * @param told what became of it: `copied` at once, later `cleared`, or `uncleared` where the browser would not let it
   * @returns false where nothing could be copied
   */
  copy(secret: string, told: (state: 'cleared' | 'uncleared') => void): Promise<boolean>
  /** Overwrites what was copied now, as when the page is left. */
  clear(): Promise<void>
}

export type ClipboardParts = {
  clipboard: Pick<Clipboard, 'writeText'> | undefined
  /** Calls later, and returns what takes that back. */
  later(act: () => void, milliseconds: number): () => void
  /** Calls once the page can reach the clipboard, which browsers grant to a page that is looked at only. */
  whenFocused(act: () => void): void
}

const minute = 60_000

/** A clipboard whose secrets last a minute. */
export function createSecretClipboard({ clipboard, later, whenFocused }: ClipboardParts): SecretClipboard {
  let pending: { cancel(): void; told(state: 'cleared' | 'uncleared'): void } | undefined

  async function clear(): Promise<void> {
    const due = pending
    pending = undefined
    if (due === undefined || clipboard === undefined) return
    due.cancel()
    try {
      await clipboard.writeText(' ')
      due.told('cleared')
    } catch {
      due.told('uncleared')
    }
  }

  return {
    clear,
    async copy(secret, told) {
      if (clipboard === undefined) return false
      try {
        await clipboard.writeText(secret)
      } catch {
        return false
      }
      pending?.cancel()
      pending = { told, cancel: later(() => whenFocused(() => void clear()), minute) }
      return true
    },
  }
}
