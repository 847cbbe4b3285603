import type { FrameConfig } from '../frameConfig.ts'

/** @throws SyntaxError if the server did not fill in the configuration */
export function parseFrameConfig(page: Document): FrameConfig {
  // The deployment's own server writes it into the page.
  return JSON.parse(page.querySelector('#latchkey-config')?.textContent ?? '') as FrameConfig
}
