// Finds or installs the system's WebKitGTK for the tests.
import { existsSync, readdirSync } from 'node:fs'
import { findTool, installTool } from '../lib/tools.mjs'

/** @typedef {{ driver: string, browser: string, display: string }} WebKitPrograms */

/**
 * Returns the paths of WebKit's driver (`WEBKIT_DRIVER_PATH`), its browser (`WEBKIT_BROWSER_PATH`) and of a display without
 * a screen (`XVFB_PATH`).
 *
 * @returns {WebKitPrograms | undefined}
 */
export function findWebKit() {
  const driver = findTool('WEBKIT_DRIVER_PATH', ['WebKitWebDriver'])
  const browser = findTool('WEBKIT_BROWSER_PATH', ['MiniBrowser']) ?? findMiniBrowser()
  const display = findTool('XVFB_PATH', ['Xvfb'])
  return driver && browser && display ? { driver, browser, display } : undefined
}

/** Debian puts the browser next to the libraries, in a folder per architecture and version. */
function findMiniBrowser() {
  const folder = '/usr/lib'
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .flatMap((name) => ['webkit2gtk-4.1', 'webkitgtk-6.0'].map((version) => `${folder}/${name}/${version}/MiniBrowser`))
    .find(existsSync)
}

/**
 * Finds WebKitGTK, or installs the system's packages if permitted.
 *
 * @returns {WebKitPrograms}
 * @throws {Error} with a sentence that explains how to install it.
 */
export function requireWebKit() {
  const found = findWebKit() ?? (['webkit2gtk-driver', 'xvfb'].every(installTool) ? findWebKit() : undefined)
  if (found === undefined) {
    throw new Error(
      'The tests in WebKit need it. Install it (on Debian: apt-get install webkit2gtk-driver xvfb), or set WEBKIT_DRIVER_PATH, WEBKIT_BROWSER_PATH and XVFB_PATH to its program files.',
    )
  }
  return found
}
