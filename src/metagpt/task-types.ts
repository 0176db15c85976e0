/** Type of work that a task can have. */
export interface TaskType {
  readonly name: string;
  /** Description for the planner of the tasks of this type. */
  readonly description: string;
  /** Advice for the role that works on such a task; empty when there is none. */
  readonly guidance: string;
}

/** Names are those of MetaGPT, which models know from training. */
const TASK_TYPES: readonly TaskType[] = [
  {
    name: 'eda',
    description: 'Look into a data set to understand it: its columns, distributions, gaps and relations.',
    guidance: `Tell the kinds of columns apart (numbers, categories, dates) and choose figures that fit each kind.
Correlate numeric columns only. Count missing values and outliers before drawing conclusions.
Print a few short summaries rather than whole tables.`,
  },
  {
    name: 'data preprocessing',
    description:
      'Clean raw data: missing values, duplicates, wrong types, scaling, encoding. Not for making new features.',
    guidance: `Never change or drop the column that is to be predicted.
Fit every transformation on the training data and apply the same to the other data, which may lack the target column.
Work on a copy. Look at types and missing values before and after each step, and correct infinite values, too.`,
  },
  {
    name: 'feature engineering',
    description:
      'Derive new columns from existing ones to help a model: combinations, groups, parts of dates.',
    guidance: `Make features for which the data gives a reason, and few rather than many.
Use the target column only inside the training data, so that nothing leaks. Leave identifiers out.
Apply the same steps to training and other data, and check for missing values afterwards.`,
  },
  {
    name: 'model train',
    description: 'Choose a model, train it on prepared data and tune it.',
    guidance: `Begin with a strong simple model for this kind of data; for tables that is usually gradient boosting.
Turn text columns into numbers first. Hold out data for validation and fix the random seed.
Use the result of the earlier tasks as it is; do not prepare the data a second time.`,
  },
  {
    name: 'model evaluate',
    description: 'Measure a trained model on data it has not seen.',
    guidance: `Bring the evaluation data through exactly the steps the training data went through.
Use the model that was trained before; do not train again. Report the measure that was asked for, or the usual one.`,
  },
  {
    name: 'image2webpage',
    description: 'Build a web page that looks like a given picture.',
    guidance: `Describe layout, colors and texts of the picture first, then write HTML and CSS that follow the description.
Save the page to files and name their paths.`,
  },
  {
    name: 'other',
    description: 'Anything that is none of the other types.',
    guidance: '',
  },
  {
    name: 'text2image',
    description: 'Make a picture from a description in words.',
    guidance:
      'Write out subject, style, light and composition before the picture is made, and save it to a file.',
  },
  {
    name: 'web scraping',
    description: 'Collect data from web pages.',
    guidance: `Look at the structure of a page before extracting from it; do not guess class names or ids.
Read the addresses that are given, keep the number of requests small, and check a sample of what was collected.`,
  },
  {
    name: 'email login',
    description: 'Log in to an e-mail account to read or handle messages.',
    guidance: `Ask the user for the account and how to log in; never make up or repeat credentials.
Find the server that belongs to the address. Do only with the messages what was asked.`,
  },
  {
    name: 'develop software',
    description: 'Write, change or repair software: applications, games, pages, scripts, with their tests.',
    guidance: `Read the existing code before changing it. Make it run early, then continue in small steps.
Check the result by running it or its tests.`,
  },
];

const BY_NAME: ReadonlyMap<string, TaskType> = new Map(TASK_TYPES.map((type) => [type.name, type]));

export const taskTypeNames: readonly string[] = TASK_TYPES.map((type) => type.name);

/** Returns the type with this name, or null. The empty name has no type. */
export function taskType(name: string): TaskType | null {
  return BY_NAME.get(name) ?? null;
}
