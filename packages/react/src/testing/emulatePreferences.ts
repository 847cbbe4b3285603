import { onTestFinished } from 'vitest'
import { cdp } from 'vitest/browser'

/** A preference of the user as a media feature of CSS. */
export type Preference = {
  name: 'prefers-color-scheme' | 'prefers-contrast' | 'prefers-reduced-motion' | 'forced-colors'
  value: string
}

/** Tests run with it unless they ask for motion: a click waits until the animation of its element has ended. */
const reducedMotion: Preference = { name: 'prefers-reduced-motion', value: 'reduce' }

/**
 * Emulates preferences of the user until the end of the test. They replace those of the previous call.
 *
 * @example await emulatePreferences({ name: 'prefers-reduced-motion', value: 'no-preference' })
 */
export async function emulatePreferences(...preferences: Preference[]): Promise<void> {
  onTestFinished(() => setMediaFeatures([reducedMotion]))
  const hasMotion = preferences.some(({ name }) => name === reducedMotion.name)
  await setMediaFeatures(hasMotion ? preferences : [reducedMotion, ...preferences])
}

async function setMediaFeatures(features: readonly Preference[]): Promise<void> {
  await cdp().send('Emulation.setEmulatedMedia', { features: [...features] })
}
