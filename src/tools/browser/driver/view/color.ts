/** Common color names, with red, green and blue. */
const COLORS: readonly (readonly [string, number, number, number])[] = [
  ['black', 0, 0, 0],
  ['white', 255, 255, 255],
  ['gray', 128, 128, 128],
  ['silver', 192, 192, 192],
  ['red', 255, 0, 0],
  ['maroon', 128, 0, 0],
  ['orange', 255, 165, 0],
  ['yellow', 255, 255, 0],
  ['olive', 128, 128, 0],
  ['lime', 0, 255, 0],
  ['green', 0, 128, 0],
  ['cyan', 0, 255, 255],
  ['teal', 0, 128, 128],
  ['blue', 0, 0, 255],
  ['navy', 0, 0, 128],
  ['purple', 128, 0, 128],
  ['magenta', 255, 0, 255],
  ['pink', 255, 192, 203],
  ['brown', 165, 42, 42],
  ['gold', 255, 215, 0],
  ['indigo', 75, 0, 130],
  ['violet', 238, 130, 238],
  ['turquoise', 64, 224, 208],
  ['tomato', 255, 99, 71],
  ['skyblue', 135, 206, 235],
  ['beige', 245, 245, 220],
];

/**
 * Converts a CSS color to a name: `rgb(255, 0, 0)` → `red`. A color without its own name gets its hue and hexadecimal value: `red #e53030`.
 * Returns an empty text for a transparent color.
 */
export function colorName(css: string): string {
  const [red, green, blue, alpha = 1] = (css.match(/[\d.]+/g) ?? []).map(Number);
  if (red === undefined || green === undefined || blue === undefined || !/^rgb/.test(css)) return '';
  if (alpha < 0.1) return '';
  let best = '';
  let smallest = Infinity;
  for (const [name, r, g, b] of COLORS) {
    // Weighted by perception ("redmean").
    const mean = (red + r) / 2;
    const distance =
      (2 + mean / 256) * (red - r) ** 2 + 4 * (green - g) ** 2 + (2 + (255 - mean) / 256) * (blue - b) ** 2;
    if (distance < smallest) [best, smallest] = [name, distance];
  }
  if (smallest < 300) return best;
  return `${hueName(red, green, blue)} #${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Hues, with their end in degrees. */
const HUES: readonly (readonly [end: number, name: string])[] = [
  [15, 'red'],
  [45, 'orange'],
  [70, 'yellow'],
  [165, 'green'],
  [195, 'cyan'],
  [255, 'blue'],
  [285, 'purple'],
  [335, 'magenta'],
  [360, 'red'],
];

function hueName(red: number, green: number, blue: number): string {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  const spread = most - least;
  if (most < 40) return 'black';
  if (spread < 24)
    return least > 235 ? 'white' : most < 90 ? 'dark gray' : least > 180 ? 'light gray' : 'gray';
  const sixth =
    most === red
      ? (green - blue) / spread
      : most === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  const hue = (sixth * 60 + 360) % 360;
  const name = HUES.find(([end]) => hue <= end)?.[1] ?? 'red';
  return most < 130 ? `dark ${name}` : least > 150 ? `light ${name}` : name;
}
