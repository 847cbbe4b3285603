import type { Latchkey } from '../instance/latchkey.ts'

/** `refused`: the server has no such stream. `failed`: it brought no event. `ended`: it brought events. */
export type StreamOutcome = 'refused' | 'failed' | 'ended'

export type EventListeners = {
  onId(id: string): void
  /** Called for `change` and `reset`. */
  onChange(): void
}

/** The server sends a comment every 25 seconds. */
const silenceMs = 60_000
/** A field of the stream is short. A server that sends more is not ours. */
const maxLineLength = 10_000
/** Statuses of servers that can't or won't serve the stream. Others may pass. */
const refusals: readonly number[] = [400, 401, 403, 404, 405, 406, 501]

/**
 * Reads a stream of server-sent events (WHATWG HTML, section 9.2) until it ends, is silent for a minute, or is aborted. It
 * uses `fetch`, because `EventSource` hides the status of a response.
 */
export async function readEvents(
  { internal: { clock } }: Pick<Latchkey, 'internal'>,
  url: URL,
  signal: AbortSignal,
  listeners: EventListeners,
): Promise<StreamOutcome> {
  const silence = new AbortController()
  let cancel = clock.after(silenceMs, () => silence.abort())
  let outcome: StreamOutcome = 'failed'
  const parse = createEventParser({
    onChange: listeners.onChange,
    onId(id) {
      outcome = 'ended'
      listeners.onId(id)
    },
  })
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/event-stream' },
      cache: 'no-store',
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response.ok || !isStream || response.body === null) {
      await response.body?.cancel()
      return response.ok || refusals.includes(response.status) ? 'refused' : 'failed'
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return outcome
      cancel()
      cancel = clock.after(silenceMs, () => silence.abort())
      parse(value)
    }
  } catch {
    return outcome
  } finally {
    cancel()
    silence.abort()
  }
}

/** Creates a parser of the text of a stream, which arrives in pieces. */
function createEventParser({ onId, onChange }: EventListeners): (piece: string) => void {
  let rest = ''
  let type = ''
  let id: string | undefined
  return (piece) => {
    const lines = (rest + piece).split(/\r?\n/)
    rest = lines.pop() ?? ''
    if (rest.length > maxLineLength) throw new RangeError('A line of the stream is too long.')
    for (const line of lines) {
      const [, field, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (field === 'event') type = value
      else if (field === 'id' && /^\d{1,15}$/.test(value)) id = value
      if (line !== '') continue
      if (type === 'change' || type === 'reset') onChange()
      if (id !== undefined) onId(id)
      type = ''
      id = undefined
    }
  }
}
