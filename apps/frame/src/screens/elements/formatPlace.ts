import type { Messages } from '../../messages/loadFrameMessages.ts'

/** An ISO 3166 country, with a city like `DE/Berlin`. */
const placeCode = /^([A-Z]{2})(?:\/(.{1,60}))?$/u

/**
 * Formats the approximate place of a request, in the language of the messages.
 *
 * @param place code of the share store: a country, possibly with a city, or `local`
 * @returns `undefined` for an unknown place, and for a share store that finds none
 */
export function formatPlace(place: string | undefined, { devices, locale }: Messages): string | undefined {
  if (place === 'local') return devices.place({ place: devices.localNetwork })
  const [, country, city] = placeCode.exec(place ?? '') ?? []
  if (country === undefined) return undefined
  const name = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' }).of(country) ?? country
  return devices.place({ place: city === undefined ? name : `${city}, ${name}` })
}
