/** The push services of browsers: Chrome and Edge on Android, Firefox, Safari, Edge on Windows. */
export const browserPushHosts: readonly string[] = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]
