import { end, finishTask, reply, say, task, write, type Tour } from './tour.js';

const CHAPTERS = [
  [
    'The Moon',
    'Begin with the Moon a few days after it is new. Along the line between day and night the craters throw long shadows, and binoculars show hundreds of them.',
  ],
  [
    'Planets',
    'What shines without twinkling is a planet. Venus is the brightest, low after sunset or before sunrise; Jupiter shows four moons in any small telescope.',
  ],
  [
    'Constellations',
    'Find the Plough and follow its last two stars five times their distance: there is the Pole Star, which never moves. From it, all others can be found.',
  ],
  [
    'Meteors',
    'In the middle of August lie down after midnight and look north-east. Give your eyes twenty minutes of darkness; then there is one every minute or two.',
  ],
] as const;

const path = (index: number): string => `/guide/${index + 1}.md`;
const chapter = (index: number): string => {
  const [title, text] = CHAPTERS[index] ?? ['', ''];
  return `# ${title}\n\n${text}\n`;
};
const CONTENTS = `# The night sky, without a telescope\n\n${CHAPTERS.map(([title], index) => `${index + 1}. [${title}](${index + 1}.md)`).join('\n')}\n`;

export const surviveAReload: Tour = {
  requests: ['Write a short guide to the night sky: four chapters and a table of contents'],
  looks: ['files', 'files', 'files', 'files', 'files', 'files', 'files'],
  reloadAfter: 3,
  roles: {
    Zero: [
      {
        replies: [
          reply(
            'Four chapters, then the contents: five small tasks in a row.',
            ...CHAPTERS.map(([title], index) =>
              task(String(index + 1), index === 0 ? [] : [String(index)], `Write the chapter “${title}”`),
            ),
            task('5', ['4'], 'Write the table of contents'),
          ),
          reply('I begin with what everyone can find.', write(path(0), chapter(0)), finishTask),
          reply(
            'Next the planets: how to tell them from stars is what people ask first.',
            write(path(1), chapter(1)),
            finishTask,
          ),
          reply(
            'Now the constellations. The Plough is up all year, so it is the best way in; the Pole Star follows from it, and from there the rest of the sky.',
            write(path(2), chapter(2)),
            finishTask,
          ),
          reply('The last chapter is for a warm night.', write(path(3), chapter(3)), finishTask),
          reply(
            'All chapters are there; the contents link to them.',
            write('/guide/contents.md', CONTENTS),
            finishTask,
          ),
          reply(
            'Everything is written, each file once.',
            say(
              'The guide is in `/guide/`: a table of contents and four chapters. The page was reloaded during the run; nothing was lost or done twice.',
            ),
            end,
          ),
        ],
      },
    ],
  },
};
