import type { Clock, Login, LoginEvent, LoginUser } from '@latchkey/core'
import { withTimeout } from '@latchkey/core/internal'
import { frameTimes, isLatchkeyError, type FrameRequests, type FrameSocial, type FrameUser } from '@latchkey/protocol'
import { embeddedError } from '../embeddedError.ts'
import type { Frame } from '../frame/frame.ts'
import { createUserStepOptions, withLoginErrors, toLoginUser } from './loginSteps.ts'
import { createAbortError } from '../frame/pendingRequests.ts'
import { watchSocialWindow, openSocialWindow, type OpenedWindow } from './socialWindow.ts'

/** Time from the click to the provider's URL, including the frame's download. */
const uriTimeoutMs = 45_000

type SocialLoginOptions = {
  readonly frame: Frame
  readonly clock: Clock
  /** Title of the window until the provider's page loads. */
  readonly title: string
  onceOpening(listener: () => void): () => void
  emit(news: LoginEvent): void
  loggedIn(user: LoginUser): void
}

type OnProgress = Parameters<Login['social']>[1]['onProgress']

/**
 * Logs in on an identity provider's page in a window.
 *
 * @param opened the window that the click opened; `null` if the browser blocked it
 */
export async function loginBySocial(
  { frame, clock, title, onceOpening, emit, loggedIn }: SocialLoginOptions,
  provider: FrameSocial,
  opened: OpenedWindow | null,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress },
): Promise<void> {
  const request = requestUri(frame, clock, provider, signal, emit)
  request.catch(() => {})
  const window = watchSocialWindow(opened ?? (await openLater(signal, onProgress)), clock, title)
  const controller = new AbortController()
  // The provider's window closes itself once it has responded. The wallet may take longer to open.
  const minded = new AbortController()
  const stopListening = onceOpening(() => minded.abort())
  const stop = (): void => controller.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const closed = window.closed(minded.signal)
    closed.catch(() => {})
    const { uri, match } = await Promise.race([request, closed])
    window.go(uri)
    onProgress?.({ waiting: true, ...(match !== undefined && { match }) })
    const user: FrameUser = await Promise.race([
      withLoginErrors(frame.request('CONNECT_SOCIAL', {}, createUserStepOptions(controller.signal))),
      closed,
    ])
    loggedIn({ ...toLoginUser(user, undefined), social: provider })
  } finally {
    signal.removeEventListener('abort', stop)
    stopListening()
    controller.abort()
    minded.abort()
    window.close()
  }
}

async function requestUri(
  frame: Frame,
  clock: Clock,
  provider: FrameSocial,
  signal: AbortSignal,
  emit: SocialLoginOptions['emit'],
): Promise<FrameRequests['GET_SOCIAL_REDIRECT_URI']['response']> {
  const late = (): ReturnType<typeof embeddedError> => embeddedError('embedded/timeout', {})
  const request = withLoginErrors(
    frame.request(
      'GET_SOCIAL_REDIRECT_URI',
      { provider },
      { timeoutMs: frameTimes.login, pausesWhileShown: true, signal },
    ),
  )
  try {
    return await withTimeout(clock, uriTimeoutMs, request, late)
  } catch (error) {
    // The app gets an event as well: its origin may be missing in the frame's allow-list [R8.1.1].
    if (isLatchkeyError(error, 'embedded/timeout')) emit({ type: 'blocked' })
    throw error
  }
}

/** Another click opens the window, which browsers allow. */
function openLater(signal: AbortSignal, onProgress: OnProgress): Promise<OpenedWindow> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(createAbortError()), { once: true })
    const open = (): void => {
      const opened = openSocialWindow()
      if (opened !== undefined) resolve(opened)
    }
    onProgress?.({ blocked: true, open })
  })
}
