/** The properties of the browser that decide how other apps can be opened. */
export type BrowserProperties = {
  userAgent: string
  /** The number of touch points. iPads that identify as a Mac have more than one. */
  maxTouchPoints: number
  /** True if the page is framed. */
  isFramed: boolean
  /** True if the page has Telegram's object for mini apps. */
  hasTelegram: boolean
}

/** The environment of a page, as far as it matters for opening wallets. */
export type Environment = {
  system: 'ios' | 'android' | 'desk'
  /** A browser, a Telegram mini app, or a web view inside another app. */
  host: 'browser' | 'telegram' | 'app'
  isFramed: boolean
}

/** The user agents of apps with a web view. */
const knownApps =
  /\b(FBAN|FBAV|FB_IAB|Instagram|Line|MicroMessenger|Snapchat|TikTok|musical_ly|Twitter|LinkedInApp|GSA)\b/i

/**
 * Detects the environment of a page.
 *
 * @example environmentOf({ userAgent, maxTouchPoints: 5, isFramed: false, hasTelegram: true }).host // 'telegram'
 */
export function environmentOf({ userAgent, maxTouchPoints, isFramed, hasTelegram }: BrowserProperties): Environment {
  const system = systemOf(userAgent, maxTouchPoints)
  const host = hasTelegram ? 'telegram' : isInApp(userAgent, system) ? 'app' : 'browser'
  return { system, host, isFramed }
}

function systemOf(userAgent: string, maxTouchPoints: number): Environment['system'] {
  if (/android/i.test(userAgent)) return 'android'
  if (/iphone|ipad|ipod/i.test(userAgent)) return 'ios'
  return /macintosh/i.test(userAgent) && maxTouchPoints > 1 ? 'ios' : 'desk'
}

/** Android marks web views in the user agent. On iOS, browsers contain `Safari`, and bare web views don't. */
function isInApp(userAgent: string, system: Environment['system']): boolean {
  if (knownApps.test(userAgent)) return true
  if (system === 'android') return /; wv\)/.test(userAgent)
  return system === 'ios' && !/safari\//i.test(userAgent)
}

/** Returns the environment of this page. */
export function readEnvironment(): Environment {
  const { userAgent, maxTouchPoints } = navigator
  return environmentOf({
    userAgent,
    maxTouchPoints,
    isFramed: window.parent !== window,
    hasTelegram: 'TelegramWebviewProxy' in window || 'TelegramWebviewProxyProto' in window,
  })
}
