/** What of its surroundings a page can know about opening other apps. */
export type Surroundings = {
  userAgent: string
  /** How many fingers the screen feels: a tablet that calls itself a Mac has more than one. */
  maxTouchPoints: number
  /** The page is drawn in a frame of another. */
  isFramed: boolean
  /** The page has the object by which Telegram talks with mini apps. */
  hasTelegram: boolean
}

/** Where a page is drawn, as far as opening a wallet from it is concerned. */
export type Environment = {
  system: 'ios' | 'android' | 'desk'
  /** A browser of its own, a mini app of Telegram, or a view inside some other app. */
  host: 'browser' | 'telegram' | 'app'
  isFramed: boolean
}

/** Apps that show pages without leaving themselves, by what they call themselves. */
const knownApps =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Line|MicroMessenger|Snapchat|TikTok|musical_ly|Twitter|LinkedInApp|GSA)\b/i

/**
 * Finds out where a page is drawn.
 *
 * @example environmentOf({ userAgent, maxTouchPoints: 5, isFramed: false, hasTelegram: true }).host // 'telegram'
 */
export function environmentOf({ userAgent, maxTouchPoints, isFramed, hasTelegram }: Surroundings): Environment {
  const system = systemOf(userAgent, maxTouchPoints)
  const host = hasTelegram ? 'telegram' : isInApp(userAgent, system) ? 'app' : 'browser'
  return { system, host, isFramed }
}

function systemOf(userAgent: string, maxTouchPoints: number): Environment['system'] {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  return /macintosh/i.test(userAgent) && maxTouchPoints > 1 ? 'ios' : 'desk'
}

/** Android marks its web views; on iOS every browser names itself after Safari, and a bare view does not. */
function isInApp(userAgent: string, system: Environment['system']): boolean {
  if (knownApps.test(userAgent)) return true
  if (system === 'android') return /; wv\)/.test(userAgent)
  return system === 'ios' && !/safari\//i.test(userAgent)
}

/** Where this page is drawn. */
export function readEnvironment(): Environment {
  const { userAgent, maxTouchPoints } = navigator
  return environmentOf({
    userAgent,
    maxTouchPoints,
    isFramed: window.parent !== window,
    hasTelegram: 'TelegramWebviewProxy' in window || 'TelegramWebviewProxyProto' in window,
  })
}
