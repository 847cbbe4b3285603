import type { FrameConfig } from '../config.ts'

/** @throws SyntaxError where the page was not filled by the server that serves it */
export function readConfig(page: Document): FrameConfig {
  // The deployment's own words, served with the page.
  return JSON.parse(page.querySelector('#latchkey-config')?.textContent ?? '') as FrameConfig
}
