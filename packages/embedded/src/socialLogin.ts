import { within, type Clock, type Login, type LoginNews, type LoginUser } from '@latchkey/core'
import { frameTimes, isLatchkeyError, type FrameRequests, type FrameSocial, type FrameUser } from '@latchkey/protocol'
import { embeddedError } from './errors.ts'
import type { Frame } from './frame.ts'
import { patient, said, shownUser } from './login.ts'
import { abortion } from './questions.ts'
import { mindWindow, openSocialWindow, type OpenedWindow } from './socialWindow.ts'

/** From the click until the provider's address is known, the loading of the frame included. */
const uriMilliseconds = 45_000

type SocialOptions = {
  readonly frame: Frame
  readonly clock: Clock
  /** What the window is called until the provider's page is known. */
  readonly title: string
  onceOpening(listener: () => void): () => void
  tell(news: LoginNews): void
  loggedIn(user: LoginUser): void
}

type Told = Parameters<Login['social']>[1]['told']

/**
 * Logs in by a provider's own page, in a window.
 *
 * @param opened by the click itself; undefined where the browser opened none
 */
export async function loginBySocial(
  { frame, clock, title, onceOpening, tell, loggedIn }: SocialOptions,
  provider: FrameSocial,
  opened: OpenedWindow | undefined,
  { signal, told }: { signal: AbortSignal; told?: Told },
): Promise<void> {
  const asked = askForUri(frame, clock, provider, signal, tell)
  asked.catch(() => {})
  const window = mindWindow(opened ?? (await openLater(signal, told)), clock, title)
  const over = new AbortController()
  // Once the provider has answered, its window is closed by itself while the wallet is opened, for as long as that takes.
  const minded = new AbortController()
  const stopHearing = onceOpening(() => minded.abort())
  const stop = (): void => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const closed = window.closed(minded.signal)
    closed.catch(() => {})
    const { uri, match } = await Promise.race([asked, closed])
    window.go(uri)
    told?.({ waiting: true, ...(match !== undefined && { match }) })
    const user: FrameUser = await Promise.race([said(frame.ask('CONNECT_SOCIAL', {}, patient(over.signal))), closed])
    loggedIn({ ...shownUser(user, undefined), social: provider })
  } finally {
    signal.removeEventListener('abort', stop)
    stopHearing()
    over.abort()
    minded.abort()
    window.close()
  }
}

async function askForUri(
  frame: Frame,
  clock: Clock,
  provider: FrameSocial,
  signal: AbortSignal,
  tell: SocialOptions['tell'],
): Promise<FrameRequests['GET_SOCIAL_REDIRECT_URI']['answer']> {
  const late = (): ReturnType<typeof embeddedError> => embeddedError('embedded/timeout', {})
  const asked = said(
    frame.ask(
      'GET_SOCIAL_REDIRECT_URI',
      { provider },
      { milliseconds: frameTimes.login, waitsForVisitor: true, signal },
    ),
  )
  try {
    return await within(clock, uriMilliseconds, asked, late)
  } catch (error) {
    // The app is told besides: its site may not be among those that may embed the frame [R8.1.1].
    if (isLatchkeyError(error, 'embedded/timeout')) tell({ type: 'blocked' })
    throw error
  }
}

/** The window is opened by another click, which a browser allows. */
function openLater(signal: AbortSignal, told: Told): Promise<OpenedWindow> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortion()), { once: true })
    const open = (): void => {
      const opened = openSocialWindow()
      if (opened !== undefined) resolve(opened)
    }
    told?.({ blocked: true, open })
  })
}
