// Finds or installs the system's Chromium for the tests.
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { findTool, installTool } from './tools.mjs'

/** Prevents requests by Chromium itself, such as updates. */
export const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * Returns the path of Chromium: `CHROMIUM_PATH`, the first of the usual names on the PATH, or Playwright's
 * installation.
 *
 * @returns {string | undefined}
 */
function findChromium() {
  return findTool('CHROMIUM_PATH', names) ?? findPlaywrights()
}

/**
 * Returns the path of the browser for tests: `CHROMIUM_PATH`, or else Chromium without its own interface, which Debian
 * packages separately, or else Chromium. It renders pages equally and needs a fifth less processor time.
 *
 * @returns {string | undefined}
 */
export function findHeadlessChromium() {
  return findTool('CHROMIUM_PATH', ['chromium-headless-shell']) ?? findChromium()
}

/** @returns {string | undefined} */
function findPlaywrights() {
  try {
    /** @type {string} */
    const path = createRequire(import.meta.url)('playwright').chromium.executablePath()
    return existsSync(path) ? path : undefined
  } catch {
    // Playwright is not installed or has no Chromium for this system.
    return undefined
  }
}

/**
 * Finds Chromium, or installs the system's package if permitted.
 *
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireChromium() {
  const found = findChromium() ?? (installTool('chromium') ? findChromium() : undefined)
  if (found === undefined) {
    throw new Error(
      'The browser tests need Chromium. Install it (on Debian: apt-get install chromium; elsewhere: npx playwright install chromium), or set CHROMIUM_PATH to its program file.',
    )
  }
  return found
}

/**
 * Finds the browser for tests, or installs the system's package if permitted.
 *
 * @returns {string}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireHeadlessChromium() {
  const found = findTool('CHROMIUM_PATH', ['chromium-headless-shell'])
  if (found !== undefined) return found
  installTool('chromium-headless-shell')
  return findHeadlessChromium() ?? requireChromium()
}
