/** Copies secrets and clears them from the clipboard later. */
export type SecretClipboard = {
  /**
   * @param report reports `cleared` later, or `uncleared` if the browser refused
   * @returns false if nothing was copied
   */
  copy(secret: string, report: (state: 'cleared' | 'uncleared') => void): Promise<boolean>
  /** Overwrites the copied secret now, for example when the page is left. */
  clear(): Promise<void>
}

export type SecretClipboardDependencies = {
  clipboard: Pick<Clipboard, 'writeText'> | undefined
  /** Calls `act` later. Returns a function that cancels the call. */
  later(act: () => void, milliseconds: number): () => void
  /** Calls `act` once the page has focus. Browsers grant the clipboard to focused pages only. */
  whenFocused(act: () => void): void
}

const minute = 60_000

/** Creates a clipboard that clears secrets after a minute. */
export function createSecretClipboard({ clipboard, later, whenFocused }: SecretClipboardDependencies): SecretClipboard {
  let pending: { cancel(): void; report(state: 'cleared' | 'uncleared'): void } | undefined

  async function clear(): Promise<void> {
    const due = pending
    pending = undefined
    if (due === undefined || clipboard === undefined) return
    due.cancel()
    try {
      await clipboard.writeText(' ')
      due.report('cleared')
    } catch {
      due.report('uncleared')
    }
  }

  return {
    clear,
    async copy(secret, report) {
      if (clipboard === undefined) return false
      try {
        await clipboard.writeText(secret)
      } catch {
        return false
      }
      pending?.cancel()
      pending = { report, cancel: later(() => whenFocused(() => void clear()), minute) }
      return true
    },
  }
}
